// A zustand vanilla store that follows a replica or a thread, for what expects zustand: selectors, middlewares, devtools.
//
// The reducer is the only way to change state, so the store has no working `setState`: a write would be a fork nobody else sees.

import type { Readable } from "@opstate/core";
import { createStore, type StoreApi } from "zustand/vanilla";

/** A zustand store that can be read and watched; `setState` throws. */
export type AgentStore<State> = Omit<StoreApi<State>, "setState"> & {
  /** @deprecated State changes through `dispatch` only: this throws. */
  readonly setState: (...arguments_: readonly unknown[]) => never;
};

/**
 * A zustand vanilla store that follows `source` for as long as the source lives.
 *
 * @example
 * ```tsx
 * const store = createAgentStore(replica);
 * store.subscribe((board, previous) => console.log(previous, "->", board));
 * ```
 */
export function createAgentStore<State>(source: Readable<State>): AgentStore<State> {
  const store = createStore<State>()(() => source.getState());
  const follow = store.setState;
  source.subscribe((state) => follow(state, true));
  return Object.assign(store, { getInitialState: () => source.getInitialState(), setState: refuse });
}

function refuse(): never {
  throw new TypeError(
    "An agent store follows its source and cannot be set: change the state with dispatch({ type, ... }) on the replica or thread.",
  );
}
