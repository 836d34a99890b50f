// Reading: a component follows a replica, a thread or an agent store, or one slice of it.
//
// A source already has the shape of a zustand store, so zustand's `useStore` binds it: synchronous
// first read, no tearing, the initial state on the server and while hydrating. What is added is the
// memo of a slice, and the pace: what comes faster than frames is shown together.

import type { Readable } from "@opstate/core";
import { type Followed, perFrame } from "./per-frame.ts";
import type { IsEqual } from "./selection.ts";
import { useSlice } from "./slice.ts";

/**
 * The state of a source, or the slice that `selector` takes of it. The component renders again only
 * when the slice changes: by reference, or by `isEqual` (zustand's `shallow` fits). The selector
 * may be an inline function.
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
  source: Followed<State>,
  selector: (state: State) => unknown = whole,
  isEqual?: IsEqual<unknown>,
): unknown {
  return useSlice(perFrame(source), selector, isEqual);
}

function whole(state: unknown): unknown {
  return state;
}
