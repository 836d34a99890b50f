// Reading: a component follows a replica, a thread or an agent store, or one slice of it.
//
// A source already has the shape of a zustand store, so zustand's `useStore` binds it: synchronous first read, no tearing,
// the initial state on the server and while hydrating. What is added is the memo: a selector may build a new value each time.

import type { Readable } from "@opstate/core";
import { useCallback, useState } from "react";
import { useStore } from "zustand/react";
import { createSelection, type IsEqual } from "./selection.ts";

/**
 * The state of a source, or the slice that `selector` takes of it. The component renders again only when the slice changes:
 * by reference, or by `isEqual` (zustand's `shallow` fits). The selector may be an inline function.
 *
 * @example
 * ```tsx
 * const titles = useAgentState(replica, (board) => board.columns.map((column) => column.title), shallow);
 * ```
 */
export function useAgentState<State>(source: Readable<State>): State;
export function useAgentState<State, Slice>(source: Readable<State>, selector: (state: State) => Slice, isEqual?: IsEqual<Slice>): Slice;
export function useAgentState<State>(
  source: Readable<State>,
  selector: (state: State) => unknown = whole,
  isEqual: IsEqual<unknown> = Object.is,
): unknown {
  const [selection] = useState(() => createSelection<State, unknown>());
  const select = useCallback((state: State) => selection(state, selector, isEqual), [selection, selector, isEqual]);
  return useStore(source, select);
}

function whole(state: unknown): unknown {
  return state;
}
