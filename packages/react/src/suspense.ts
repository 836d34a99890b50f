// Reading with Suspense: a component that waits for the first confirmed state instead of showing the definition's initial one.

import type { Readable } from "@opstate/core";
import { use } from "react";
import { useAgentState } from "./agent-state.ts";
import type { IsEqual } from "./selection.ts";

/**
 * As `useAgentState`, but the component suspends until the source is ready. An error boundary gets what closed it before that.
 *
 * @example
 * ```tsx
 * <Suspense fallback={<p>Opening the board</p>}>
 *   <Board />
 * </Suspense>;
 *
 * function Board() {
 *   const columns = useSuspenseAgentState(replica, (board) => board.columns);
 *   // ...
 * }
 * ```
 */
export function useSuspenseAgentState<State>(source: Readable<State> & Waiting): State;
export function useSuspenseAgentState<State, Slice>(
  source: Readable<State> & Waiting,
  selector: (state: State) => Slice,
  isEqual?: IsEqual<Slice>,
): Slice;
export function useSuspenseAgentState<State, Slice>(
  source: Readable<State> & Waiting,
  selector?: (state: State) => Slice,
  isEqual?: IsEqual<Slice>,
): State | Slice {
  use(source.ready());
  return useAgentState(source, selector as (state: State) => Slice, isEqual);
}

interface Waiting {
  /** The same promise each time, as a replica gives it. */
  ready(): Promise<void>;
}
