import { AgentState, History } from "@opstate/svelte";
import type { Commit } from "@opstate/core";
import { accessThread } from "@opstate/core/feeds";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, test } from "vitest";
import Log from "./components/log.svelte";
import { listened } from "./listened.ts";
import { ada, openReplica, openShelf } from "./shelf.ts";
import { watch } from "./watch.svelte.ts";

async function filled(count: number) {
  const { thread, act } = await openShelf();
  for (let index = 1; index <= count; index += 1) await act({ type: "rename", title: `Title ${index}` });
  return { thread, act };
}

const versions = (log: History) =>
  log.entries.map((entry) => (entry.kind === "commit" ? entry.commit.version : "refused")).join(" ");
const lines = (container: Element) => [...container.querySelectorAll("li")].map((line) => line.textContent).join(" ");

test("shows the newest page and new commits, and loads older pages", async () => {
  const { thread, act } = await filled(5);
  const screen = await render(Log, { log: new History(thread, { pageSize: 2 }) });
  const older = screen.getByRole("button");
  await expect.poll(() => lines(screen.container)).toBe("5 4");
  await act({ type: "rename", title: "Newer" });
  flushSync();
  expect(lines(screen.container)).toBe("6 5 4");
  await older.click();
  await expect.poll(() => lines(screen.container)).toBe("6 5 4 3 2");
  await older.click();
  await expect.poll(() => lines(screen.container)).toBe("6 5 4 3 2 1");
  await expect.element(older).toBeDisabled();
});

test("shows refusals in their place on request", async () => {
  const { thread, act } = await filled(1);
  await act({ type: "label", id: "old", label: "x" });
  const screen = await render(Log, { log: new History(thread, { rejections: true }) });
  await expect.poll(() => lines(screen.container)).toBe('There is no box "old" 1');
  await act({ type: "label", id: "new", label: "x" });
  await act({ type: "rename", title: "Newer" });
  flushSync();
  expect(lines(screen.container)).toBe('2 There is no box "new" There is no box "old" 1');
  expect(versions(new AgentState(thread).history)).toBe("");
});

async function counted(count: number) {
  const { thread, act } = await filled(count);
  const { source, seen } = listened(thread);
  const board = new AgentState(source);
  return { act, seen, board, log: board.history };
}

test("reads nothing without a reader", async () => {
  const { act, seen, board, log } = await counted(3);
  expect(board.history).toBe(log);
  expect([log.entries, log.loading, log.hasOlder, log.error]).toEqual([[], true, false, undefined]);
  await act({ type: "rename", title: "Unseen" });
  expect(seen).toMatchObject({ listeners: 0, reads: 0 });
});

test("reads and listens once for all components that show it", async () => {
  const { act, seen, log } = await counted(4);
  const one = await render(Log, { log });
  const two = await render(Log, { log });
  await expect.poll(() => lines(two.container)).toBe("4 3 2 1");
  expect(lines(one.container)).toBe("4 3 2 1");
  expect(seen).toMatchObject({ listeners: 1, reads: 1 });
  await one.unmount();
  await act({ type: "rename", title: "Seen" });
  flushSync();
  expect(lines(two.container)).toBe("5 4 3 2 1");
});

test("stops listening with its last component, and reads what it missed with the next one", async () => {
  const { act, seen, log } = await counted(4);
  const one = await render(Log, { log });
  await expect.poll(() => lines(one.container)).toBe("4 3 2 1");
  await one.unmount();
  await expect.poll(() => seen.listeners).toBe(0);
  await act({ type: "rename", title: "Missed" });
  expect([versions(log), seen.reads]).toEqual(["4 3 2 1", 1]);
  const again = await render(Log, { log });
  await expect.poll(() => lines(again.container)).toBe("5 4 3 2 1");
  expect(seen.reads).toBe(2);
});

test("each member runs its own readers, and entries are the commits of the log", async () => {
  const { thread, act } = await filled(2);
  const commits: Commit[] = [];
  thread.onCommit((commit) => commits.push(commit));
  const log = new History(thread);
  const [entries, older, loading] = [watch(() => log.entries), watch(() => log.hasOlder), watch(() => log.loading)];
  await expect.poll(() => log.entries.length).toBe(2);
  await act({ type: "rename", title: "Newer" });
  flushSync();
  expect(older.seen).toEqual([false]);
  expect(loading.seen).toEqual([true, false]);
  const [before, after] = entries.seen.slice(-2);
  expect(after?.[1]).toBe(before?.[0]);
  const [newest] = after ?? [];
  expect(newest?.kind === "commit" && newest.commit).toBe(commits[0]);
});

test("shows an error until it can be read again", async () => {
  const { thread, act } = await filled(1);
  const { source, seen } = listened(thread);
  seen.failing = true;
  const screen = await render(Log, { log: new History(source) });
  await expect.element(screen.getByText("Error: no network")).toBeVisible();
  seen.failing = false;
  await act({ type: "rename", title: "Newer" });
  await expect.poll(() => lines(screen.container)).toBe("2 1");
  expect(screen.container.querySelector("b")).toBeNull();
});

test("comes from the access beside a replica", async () => {
  const { thread, replica, act } = await openReplica();
  expect(new AgentState(replica).history).toBeUndefined();
  const board = new AgentState({ ...accessThread(thread, ada), ...replica });
  const { seen } = watch(() => board.history.entries.length);
  await act({ type: "rename", title: "Theirs" });
  await board.dispatch({ type: "rename", title: "Mine" });
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(2);
});

test("is undefined for a source without a history", () => {
  const source = { getState: () => 1, getInitialState: () => 1, subscribe: () => () => undefined };
  const agent = new AgentState(source);
  expect([agent.history, agent.undo, agent.proposals]).toEqual([undefined, undefined, undefined]);
});
