// Reading: a component subscribes to a source, or to one slice of its state.

import type { IsEqual } from "@opstate/client/binding";
import type { Readable } from "@opstate/core";
import { identity, useSlice } from "./slice.ts";

/**
 * Returns the state of a source, or the slice that `selector` picks. A source is a client's thread,
 * or anything with `getState`, `getInitialState` and `subscribe`. The component renders again only
 * when the slice changed: by reference, or by `isEqual`, such as zustand's `shallow`. The selector
 * may be an inline function.
 *
 * @example
 * ```tsx
 * const titles = useAgentState(thread, (board) => board.columns.map((column) => column.title), shallow);
 * ```
 */
export function useAgentState<State>(source: Readable<State>): State;
export function useAgentState<State, Slice>(
  source: Readable<State>,
  selector: (state: State) => Slice,
  isEqual?: IsEqual<Slice>,
): Slice;
export function useAgentState<State>(
  source: Readable<State>,
  selector: (state: State) => unknown = identity,
  isEqual?: IsEqual<unknown>,
): unknown {
  return useSlice(source, "state", selector, isEqual);
}
