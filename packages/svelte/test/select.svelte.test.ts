import { AgentState, type Selected } from "@opstate/svelte";
import { flushSync } from "svelte";
import { expect, test } from "vitest";
import { openShelf } from "./support/shelf.ts";
import { counted, watch, withoutFrames } from "./support/watch.svelte.ts";

const big = (numbers: readonly number[]) => numbers.filter((each) => each > 1);
const same = (a: readonly number[], b: readonly number[]) => a.join() === b.join();

/** A source that is set by hand. */
function settable<State>(initial: State) {
  let state = initial;
  const listeners = new Set<(state: State, previous: State) => void>();
  return {
    getState: () => state,
    getInitialState: () => initial,
    subscribe: (listener: (state: State, previous: State) => void) => (
      listeners.add(listener),
      () => listeners.delete(listener)
    ),
    set(next: State) {
      const previous = state;
      state = next;
      for (const listener of listeners) listener(next, previous);
    },
  };
}

test("runs the selector once for each state, however many read it", () => {
  withoutFrames();
  const source = settable<readonly number[]>([1, 2]);
  let calls = 0;
  const slice = new AgentState(source).select((numbers) => ((calls += 1), big(numbers)));
  const [one, two] = [watch(() => slice.current), watch(() => slice.current)];
  expect(one.seen[0]).toBe(two.seen[0]);
  expect(calls).toBe(1);
  source.set([3]);
  flushSync();
  expect([one.seen.length, calls]).toEqual([2, 2]);
  expect(slice.current).toBe(one.seen[1]);
});

test("runs readers for their slice only, and an equal slice keeps its reference", async () => {
  withoutFrames();
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  const board = new AgentState(thread);
  const ids = board.select(
    (state) => state.boxes.map((box) => box.id),
    (a, b) => a.join() === b.join(),
  );
  const { seen } = watch(() => ids.current);
  await act({ type: "label", id: "a", label: "Other" });
  flushSync();
  expect(seen).toEqual([["a"]]);
  expect(ids.current).toBe(seen[0]);
  await act({ type: "put", id: "b", label: "B" });
  flushSync();
  expect(seen).toEqual([["a"], ["a", "b"]]);
});

test("the slice always equals the selection, and changes its reference only when the selection changes", () => {
  withoutFrames();
  const states = [[1], [2], [2, 1], [1, 2, 3], [2, 3], []];
  const source = settable<readonly number[]>([]);
  const slice: Selected<readonly number[]> = new AgentState(source).select(big, same);
  let watcher: ReturnType<typeof watch<readonly number[]>> | undefined;
  let last = slice.current;
  for (let turn = 0; turn < 2000; turn += 1) {
    if ((turn * 5) % 7 === 0) {
      if (watcher === undefined) watcher = watch(() => slice.current);
      else watcher = void watcher.end();
    }
    source.set(states[(turn * turn * 7 + turn) % states.length] ?? []);
    flushSync();
    expect(slice.current).toEqual(big(source.getState()));
    if (same(last, slice.current)) expect(slice.current).toBe(last);
    last = slice.current;
    if (watcher !== undefined) {
      expect(watcher.seen.at(-1)).toBe(last);
      for (const [index, each] of watcher.seen.entries())
        if (index > 0) expect(same(each, watcher.seen[index - 1] ?? [])).toBe(false);
    }
  }
});

test("a slice without readers costs no subscription", async () => {
  const { thread } = await openShelf();
  const { source, followers } = counted(thread);
  const title = new AgentState(source).select((state) => state.title);
  expect(title.current).toBe("Shelf");
  expect(followers()).toBe(0);
});
