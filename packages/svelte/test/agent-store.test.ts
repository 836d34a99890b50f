import { agentState } from "@opstate/svelte";
import { flushSync } from "svelte";
import { derived, get } from "svelte/store";
import { render } from "vitest-browser-svelte";
import { expect, onTestFinished, test, vi } from "vitest";
import Store from "./components/store.svelte";
import { openPage, openShelf } from "./support/shelf.ts";
import { counted } from "./support/watch.svelte.ts";

test("follows the store contract: calls at once, then on each change until it is unsubscribed from", async () => {
  const { thread, act } = await openShelf();
  const titles: string[] = [];
  const end = agentState(thread).subscribe(({ title }) => titles.push(title));
  expect(titles).toEqual(["Shelf"]);
  await act({ type: "rename", title: "Books" });
  expect(titles).toEqual(["Shelf", "Books"]);
  end();
  await act({ type: "rename", title: "Late" });
  expect(titles).toEqual(["Shelf", "Books"]);
});

test("works with what Svelte has for stores", async () => {
  const { thread, act } = await openShelf();
  const { source, followers } = counted(thread);
  const board = agentState(source);
  expect(get(board)).toBe(thread.getState());
  expect(followers()).toBe(0);
  const labels: string[] = [];
  const end = derived(board, ({ boxes }) => boxes.map(({ label }) => label).join()).subscribe((label) =>
    labels.push(label),
  );
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "rename", title: "Other" });
  expect(labels).toEqual(["", "A"]);
  end();
  expect(followers()).toBe(0);
});

test("is called for a change that its own first call makes", async () => {
  const { thread, page } = await openPage();
  const titles: string[] = [];
  const board = agentState(page);
  onTestFinished(
    board.subscribe(({ title }) => {
      titles.push(title);
      if (titles.length === 1) void board.dispatch({ type: "rename", title: "Books" });
    }),
  );
  expect(titles).toEqual(["Shelf", "Books"]);
  await expect.poll(() => thread.getState().title).toBe("Books");
  expect(titles).toEqual(["Shelf", "Books"]);
});

test("is `$board` in a component, and unsubscribes when that is destroyed", async () => {
  const { thread, act } = await openShelf();
  const { source, followers } = counted(thread);
  const screen = await render(Store, { board: agentState(source) });
  expect(screen.container.textContent).toBe("Shelf 0");
  await act({ type: "put", id: "a", label: "A" });
  flushSync();
  expect(screen.container.textContent).toBe("Shelf 1");
  screen.container.querySelector("button")?.click();
  await vi.waitUntil(() => screen.container.textContent === "Clicked 1");
  await screen.unmount();
  expect(followers()).toBe(0);
});

test("cannot be set", async () => {
  const board = agentState((await openShelf()).thread);
  expect(Object.keys(board).sort()).toEqual(["dispatch", "subscribe"]);
});
