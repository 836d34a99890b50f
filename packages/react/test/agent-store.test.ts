import { createAgentStore } from "@opstate/react";
import { expect, test } from "vitest";
import { openPage, openShelf, shelf } from "./support/shelf.ts";

test("follows its source", async () => {
  const { thread, act } = await openShelf();
  const store = createAgentStore(thread);
  const seen: [number, number][] = [];
  store.subscribe((state, previous) => seen.push([state.count, previous.count]));
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  expect(store.getState()).toBe(thread.getState());
  expect(seen).toEqual([
    [1, 0],
    [2, 1],
  ]);
  expect(store.getInitialState()).toBe(thread.getInitialState());
});

test("shows what a page shows, pending edits included", async () => {
  const { page, gate } = await openPage();
  const store = createAgentStore(page);
  gate.hold = true;
  const verdict = page.dispatch(shelf.op.rename({ title: "Pending" }));
  expect(store.getState().title).toBe("Pending");
  gate.release();
  await verdict;
});

test("cannot be set", async () => {
  const { thread } = await openShelf();
  const store = createAgentStore(thread);
  expect(() => store.setState({ title: "By hand" })).toThrow(/dispatch/);
  expect(store.getState().title).toBe("Shelf");
});
