// A zustand vanilla store that follows a replica or a thread, for what expects zustand: `useStore`,
// selectors, devtools.
//
// The reducer is the only way to change state, so the store has no working `setState`: a write
// would be a fork nobody else sees. It holds nothing by itself: a source that is connected while
// watched is so while the store is.

import type { Readable } from "@opstate/core";
import type { StoreApi } from "zustand/vanilla";
import { connectDevtools, type DevtoolsOptions, type DevtoolsSource } from "./devtools.ts";

/** A zustand store that can be read and watched; `setState` throws. */
export type AgentStore<State> = Omit<StoreApi<State>, "setState"> & {
  /** @deprecated State changes through `dispatch` only: this throws. */
  readonly setState: (...arguments_: readonly unknown[]) => never;
};

export interface AgentStoreOptions {
  /**
   * Shows the store in Redux DevTools. While its time travel looks at a past state, the store shows
   * that.
   */
  readonly devtools?: DevtoolsOptions;
}

/**
 * A zustand vanilla store that follows `source`.
 *
 * @example
 * ```tsx
 * const store = createAgentStore(replica, { devtools: { name: "board" } });
 * store.subscribe((board, previous) => console.log(previous, "->", board));
 * ```
 */
export function createAgentStore<State>(
  source: Readable<State> & Partial<DevtoolsSource<State>>,
  { devtools }: AgentStoreOptions = {},
): AgentStore<State> {
  const { getState, getInitialState, subscribe } = devtools === undefined ? source : connectDevtools(source, devtools);
  return { getState, getInitialState, subscribe, setState: refuse };
}

function refuse(): never {
  throw new TypeError(
    "An agent store follows its source and cannot be set: change the state with dispatch({ type, ... }) on the replica or thread.",
  );
}
