import { History } from "@opstate/svelte";
import type { Commit } from "@opstate/core";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, test, vi } from "vitest";
import Log from "./components/log.svelte";
import { openPage } from "./support/shelf.ts";
import { watch } from "./support/watch.svelte.ts";

async function filled(count: number) {
  const opened = await openPage();
  for (let index = 1; index <= count; index += 1) await opened.act({ type: "rename", title: `Title ${index}` });
  const history = vi.spyOn(opened.wired, "history");
  /** How many pages of the history were read; the connection reads what it missed, too. */
  const reads = () => history.mock.calls.filter(([range]) => range?.limit !== undefined).length;
  return { ...opened, history, reads };
}

const versions = (log: History) =>
  log.entries.map((entry) => (entry.kind === "commit" ? entry.commit.version : "refused")).join(" ");
const lines = (container: Element) => [...container.querySelectorAll("li")].map((line) => line.textContent).join(" ");

test("shows the newest page and new commits, and loads older pages", async () => {
  const { page, act } = await filled(5);
  const screen = await render(Log, { log: new History(page, { pageSize: 2 }) });
  const older = screen.getByRole("button");
  await expect.poll(() => lines(screen.container)).toBe("5 4");
  await act({ type: "rename", title: "Newer" });
  await expect.poll(() => lines(screen.container)).toBe("6 5 4");
  await older.click();
  await expect.poll(() => lines(screen.container)).toBe("6 5 4 3 2");
  await older.click();
  await expect.poll(() => lines(screen.container)).toBe("6 5 4 3 2 1");
  await expect.element(older).toBeDisabled();
});

test("shows refusals in their place on request", async () => {
  const { page, act } = await filled(1);
  await act({ type: "label", id: "old", label: "x" });
  const screen = await render(Log, { log: new History(page, { rejections: true }) });
  await expect.poll(() => lines(screen.container)).toBe('There is no box "old" 1');
  await act({ type: "label", id: "new", label: "x" });
  await act({ type: "rename", title: "Newer" });
  await expect.poll(() => lines(screen.container)).toBe('2 There is no box "new" There is no box "old" 1');
});

test("reads nothing without a reader", async () => {
  const { page, act, reads, wire } = await filled(3);
  const log = new History(page);
  expect([log.entries, log.loading, log.hasOlder, log.error]).toEqual([[], true, false, undefined]);
  await act({ type: "rename", title: "Unseen" });
  expect([reads(), wire.asked]).toEqual([0, 0]);
});

test("reads once for all components that show it, or that show it with the same options", async () => {
  const { page, act, reads } = await filled(4);
  const one = await render(Log, { log: new History(page) });
  const two = await render(Log, { log: new History(page) });
  await expect.poll(() => lines(two.container)).toBe("4 3 2 1");
  expect(lines(one.container)).toBe("4 3 2 1");
  expect(reads()).toBe(1);
  await one.unmount();
  await act({ type: "rename", title: "Seen" });
  await expect.poll(() => lines(two.container)).toBe("5 4 3 2 1");
  expect(reads()).toBe(1);
});

test("stops with its last component, and reads what it missed with the next one", async () => {
  const { page, act, reads, wire } = await filled(4);
  const log = new History(page);
  const one = await render(Log, { log });
  await expect.poll(() => lines(one.container)).toBe("4 3 2 1");
  await one.unmount();
  await expect.poll(() => wire.open).toBe(0);
  await act({ type: "rename", title: "Missed" });
  expect([versions(log), reads()]).toEqual(["4 3 2 1", 1]);
  const again = await render(Log, { log });
  await expect.poll(() => lines(again.container)).toBe("5 4 3 2 1");
  expect(reads()).toBeGreaterThan(1);
});

test("each member runs its own readers, and entries are the commits of the log", async () => {
  const { page, thread, act } = await filled(2);
  const commits: Commit[] = [];
  thread.onCommit((commit) => commits.push(commit));
  const log = new History(page);
  const [entries, older, loading] = [watch(() => log.entries), watch(() => log.hasOlder), watch(() => log.loading)];
  await expect.poll(() => (flushSync(), loading.seen)).toEqual([true, false]);
  await act({ type: "rename", title: "Newer" });
  await expect.poll(() => (flushSync(), entries.seen.at(-1)?.length)).toBe(3);
  expect(older.seen).toEqual([false]);
  expect(loading.seen).toEqual([true, false]);
  const [before, after] = entries.seen.slice(-2);
  expect(after?.[1]).toBe(before?.[0]);
  const [newest] = after ?? [];
  expect(newest?.kind === "commit" && newest.commit).toBe(commits[0]);
});

test("shows an error until it can be read again", async () => {
  const { page, act, history } = await filled(1);
  history.mockImplementation(() => Promise.reject(new Error("no network")));
  const screen = await render(Log, { log: new History(page) });
  await expect.element(screen.getByText("Error: no network")).toBeVisible();
  history.mockRestore();
  await act({ type: "rename", title: "Newer" });
  await expect.poll(() => lines(screen.container)).toBe("2 1");
  await expect.poll(() => screen.container.querySelector("b")).toBeNull();
});

test("follows another thread when it is given a function", async () => {
  const [one, two] = [await filled(1), await filled(3)];
  let page = $state.raw(one.page);
  const log = new History(() => page);
  const { seen } = watch(() => log.entries.length);
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(1);
  page = two.page;
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(3);
});
