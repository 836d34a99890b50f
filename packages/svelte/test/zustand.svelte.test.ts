// Any source with `getState`, `getInitialState` and `subscribe` may be followed: here zustand's
// vanilla stores.

import { AgentState, agentState } from "@opstate/svelte";
import { flushSync } from "svelte";
import { get } from "svelte/store";
import { expect, test } from "vitest";
import { subscribeWithSelector } from "zustand/middleware";
import { createStore } from "zustand/vanilla";
import { watch, withoutFrames } from "./support/watch.svelte.ts";

interface View {
  readonly open: boolean;
  readonly picked: readonly string[];
}

test("follows a store and a slice of it", () => {
  withoutFrames();
  const store = createStore<View>()(() => ({ open: false, picked: ["a"] }));
  const view = new AgentState(store);
  const count = view.select(({ picked }) => picked.length);
  const [whole, slice] = [watch(() => view.current), watch(() => count.current)];
  store.setState({ open: true });
  flushSync();
  store.setState({ picked: ["a", "b"] });
  flushSync();
  expect(whole.seen.map(({ open }) => open)).toEqual([false, true, true]);
  expect(slice.seen).toEqual([1, 2]);
  expect(whole.seen.at(-1)).toBe(store.getState());
  expect(get(agentState(store))).toBe(store.getState());
});

test("follows a store whose middleware changes its subscribe", () => {
  const store = createStore<View>()(subscribeWithSelector<View>(() => ({ open: false, picked: [] })));
  const open = new AgentState(store).select((view) => view.open);
  const { seen, end } = watch(() => open.current);
  store.setState({ open: true });
  flushSync();
  end();
  store.setState({ open: false });
  flushSync();
  expect([seen, open.current]).toEqual([[false, true], false]);
});
