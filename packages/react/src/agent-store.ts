// A zustand vanilla store over a replica or a thread, for code that expects zustand: `useStore`,
// selectors, devtools.
//
// Only the reducer changes state, so `setState` throws: a local write would be seen by no other
// participant. The store subscribes to its source only while it has subscribers itself.

import type { Readable } from "@opstate/core";
import type { StoreApi } from "zustand/vanilla";
import { connectDevtools, type DevtoolsOptions, type DevtoolsSource } from "./devtools.ts";

/** A zustand store to read and subscribe to. `setState` throws. */
export type AgentStore<State> = Omit<StoreApi<State>, "setState"> & {
  /** @deprecated State changes through `dispatch` only: this throws. */
  readonly setState: (...arguments_: readonly unknown[]) => never;
};

export interface AgentStoreOptions {
  /**
   * Shows the store in Redux DevTools. While time travel shows a past state, the store has that
   * state.
   */
  readonly devtools?: DevtoolsOptions;
}

/**
 * Creates a zustand vanilla store over `source`.
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
    "An agent store cannot be set, because it has the state of its source. Change the state with dispatch({ type, ... }) on the replica or thread.",
  );
}
