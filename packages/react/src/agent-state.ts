// Reading: a component subscribes to a replica, a thread or an agent store, or to one slice of it.
//
// A source has the shape of a zustand store, so zustand's `useStore` binds it: a synchronous first
// read, no tearing, the initial state on the server and while hydrating. This adds memoised slices,
// and one render per frame for changes that come faster than frames.

import type { Readable } from "@opstate/core";
import { type PacedSource, perFrame } from "./per-frame.ts";
import type { IsEqual } from "./selection.ts";
import { useSlice } from "./slice.ts";

/**
 * Returns the state of a source, or the slice that `selector` picks. The component renders again
 * only when the slice changed: by reference, or by `isEqual`, such as zustand's `shallow`. The
 * selector may be an inline function.
 *
 * @example
 * ```tsx
 * const titles = useAgentState(replica, (board) => board.columns.map((column) => column.title), shallow);
 * ```
 */
export function useAgentState<State>(source: Readable<State>): State;
export function useAgentState<State, Slice>(
  source: Readable<State>,
  selector: (state: State) => Slice,
  isEqual?: IsEqual<Slice>,
): Slice;
export function useAgentState<State>(
  source: PacedSource<State>,
  selector: (state: State) => unknown = identity,
  isEqual?: IsEqual<unknown>,
): unknown {
  return useSlice(perFrame(source), selector, isEqual);
}

function identity(state: unknown): unknown {
  return state;
}
