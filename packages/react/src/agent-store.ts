// A zustand vanilla store over a thread or any other source, for code that expects zustand:
// `useStore`, selectors, middleware that reads.
//
// Only the reducer changes state, so `setState` throws: a local write would be seen by no other
// participant. The store subscribes to its source only while it has subscribers itself.

import type { Readable } from "@opstate/core";
import type { StoreApi } from "zustand/vanilla";

/** A zustand store to read and subscribe to. `setState` throws. */
export type AgentStore<State> = Omit<StoreApi<State>, "setState"> & {
  /** @deprecated State changes through `dispatch` only: this throws. */
  readonly setState: (...arguments_: readonly unknown[]) => never;
};

/**
 * Creates a zustand vanilla store over `source`.
 *
 * @example
 * ```tsx
 * const store = createAgentStore(thread);
 * store.subscribe((board, previous) => console.log(previous, "->", board));
 * ```
 */
export function createAgentStore<State>({ getState, getInitialState, subscribe }: Readable<State>): AgentStore<State> {
  return { getState, getInitialState, subscribe, setState: refuse };
}

function refuse(): never {
  throw new TypeError(
    "An agent store cannot be set, because it has the state of its source. Change the state with dispatch({ type, ... }) on the thread.",
  );
}
