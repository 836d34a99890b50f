import type { Readable } from "@opstate/core";
import { AgentState } from "@opstate/svelte";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, test } from "vitest";
import Boxes from "./components/boxes.svelte";
import Slice from "./components/slice.svelte";
import { ada, openPage, openShelf, shelf } from "./support/shelf.ts";
import { counted, watch } from "./support/watch.svelte.ts";

test("has the state of a thread at once and follows it", async () => {
  const { thread, act } = await openShelf();
  const board = new AgentState(thread);
  expect(board.current).toBe(thread.getState());
  const { seen } = watch(() => board.current.title);
  await act({ type: "rename", title: "Books" });
  flushSync();
  expect(seen).toEqual(["Shelf", "Books"]);
});

test("gives the state itself, without a proxy: what was not touched is the same object in the next version", async () => {
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  const board = new AgentState(thread);
  const { seen } = watch(() => board.current);
  await act({ type: "label", id: "b", label: "Changed" });
  flushSync();
  const [before, after] = seen;
  expect(after).toBe(thread.getState());
  expect(after?.boxes[0]).toBe(before?.boxes[0]);
  expect(after?.boxes[1]).not.toBe(before?.boxes[1]);
});

test("an edit to one of a thousand boxes renders that box alone", async () => {
  const { thread } = await openShelf();
  const boxes = Array.from({ length: 1000 }, (_, index) => ({ id: `box-${index}`, label: `Box ${index}` }));
  await thread.dispatch(
    { type: "$replace", value: { title: "Many", boxes } },
    { actor: { kind: "system", id: "seed" } },
  );
  const rendered: string[] = [];
  const screen = await render(Boxes, {
    board: new AgentState(thread),
    rendered: (what: string) => void rendered.push(what),
  });
  expect(new Set(rendered).size).toBe(1001);
  rendered.length = 0;
  await thread.dispatch({ type: "label", id: "box-617", label: "Changed" }, { actor: ada });
  flushSync();
  expect(screen.container.textContent).toContain("Changed");
  expect(rendered.filter((what) => what !== "title")).toEqual(["box-617"]);
});

async function withTwoReaders() {
  const { thread, act } = await openShelf();
  const { source, followers } = counted(thread);
  const board = new AgentState(source);
  expect([board.current.title, followers()]).toEqual(["Shelf", 0]);
  const one = watch(() => board.current.title);
  const two = watch(() => board.current.count);
  return { act, board, followers, one, two };
}

test("readers of one state share one subscription", async () => {
  const { act, followers, one, two } = await withTwoReaders();
  expect(followers()).toBe(1);
  one.end();
  await expect.poll(followers).toBe(1);
  await act({ type: "put", id: "a", label: "A" });
  flushSync();
  expect([one.seen, two.seen]).toEqual([["Shelf"], [0, 1]]);
});

test("unsubscribes with its last reader, and is still up to date when it is read", async () => {
  const { act, board, followers, one, two } = await withTwoReaders();
  for (const reader of [one, two]) reader.end();
  await expect.poll(followers).toBe(0);
  await act({ type: "put", id: "a", label: "A" });
  expect(board.current.count).toBe(1);
  expect(two.seen).toEqual([0]);
});

test("follows another source when it is given one", async () => {
  const one = await openShelf();
  const two = await openShelf();
  await two.act({ type: "rename", title: "Two" });
  const props = { select: (state: { title: string }) => state.title, given: () => undefined };
  const screen = await render(Slice, { source: one.thread, ...props });
  expect(screen.container.textContent).toBe('"Shelf"');
  await screen.rerender({ source: two.thread });
  expect(screen.container.textContent).toBe('"Two"');
  await one.act({ type: "rename", title: "One" });
  flushSync();
  expect(screen.container.textContent).toBe('"Two"');
});

test("a derived value that is read again after a pause is up to date", async () => {
  const { thread, act } = await openShelf();
  const board = new AgentState(thread);
  const title = $derived(board.current.title);
  const first = watch(() => title);
  first.end();
  await act({ type: "rename", title: "While nobody watched" });
  expect(watch(() => title).seen).toEqual(["While nobody watched"]);
});

test("shows an edit at once, and no longer when the authority refuses it", async () => {
  const { page, gate, act } = await openPage();
  const board = new AgentState(page);
  const { seen } = watch(() => board.current.boxes.map((box) => box.label).join());
  gate.hold = true;
  const { dispatch } = board;
  const verdict = dispatch(shelf.op.put({ id: "a", label: "mine" }));
  flushSync();
  expect(seen).toEqual(["", "mine"]);
  await act({ type: "put", id: "a", label: "theirs" });
  gate.release();
  expect(await verdict).toMatchObject({ accepted: false, rejection: { reason: "taken" } });
  flushSync();
  expect(seen.at(-1)).toBe("theirs");
});

test("says when there is a confirmed state, and what keeps the page from it", async () => {
  const board = new AgentState((await openPage()).page);
  await board.ready();
  expect(board.sync).toMatchObject({ ready: true });
  const missing = await openPage();
  missing.find.reach = () => undefined;
  await expect(new AgentState(missing.page).ready()).rejects.toThrow('There is no thread "test" here.');
  expect(await new AgentState((await openShelf()).thread).ready()).toBeUndefined();
});

test("an effect may dispatch, and sees its own edit", async () => {
  const { page } = await openPage();
  const board = new AgentState(page);
  const { seen } = watch(() => {
    if (board.current.count < 3) void board.dispatch(shelf.op.put({ id: `${board.current.count}`, label: "" }));
    return board.current.count;
  });
  await expect.poll(() => (flushSync(), page.sync.getState().version)).toBe(3);
  expect(seen.at(-1)).toBe(3);
});

test("a source that changes while it is subscribed to leaves no reader with an old state", () => {
  const source = restless();
  const board = new AgentState(source);
  const [one, two] = [board.select((count) => count), board.select((count) => [count])];
  const double = $derived(one.current * 2);
  const quadruple = $derived(double * 2);
  const alone = watch(() => quadruple);
  flushSync();
  expect(alone.seen.at(-1)).toBe(source.getState() * 4);
  const { seen } = watch(() => [quadruple, two.current[0], one.current, board.current]);
  flushSync();
  const count = source.getState();
  expect(seen.at(-1)).toEqual([count * 4, count, count, count]);
});

/**
 * A source that is another one with each subscription, as a connection may be that answers while it
 * is made.
 */
function restless(): Readable<number> {
  let state = 0;
  const listeners = new Set<(next: number, previous: number) => void>();
  return {
    getState: () => state,
    getInitialState: () => 0,
    subscribe(listener) {
      listeners.add(listener);
      state += 1;
      for (const each of listeners) each(state, state - 1);
      return () => listeners.delete(listener);
    },
  };
}
