// Reading with Suspense: a component that waits for the first confirmed state instead of showing the definition's initial one.
//
// Nothing connects while it renders, and on a server not at all: there a boundary's fallback is what the page begins with.

import type { Readable } from "@opstate/core";
import { use } from "react";
import { useAgentState } from "./agent-state.ts";
import type { IsEqual } from "./selection.ts";
import { useIsServer } from "./server.ts";

/**
 * As `useAgentState`, but the component suspends until the source is ready. An error boundary gets why it is not: that the server does not
 * let it in, or that it was closed. On a server a source that is not ready throws, so that React goes on with the fallback.
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
  const onServer = useIsServer();
  if (source.sync?.getState().ready !== true) {
    if (onServer) throw new Error(ON_SERVER);
    use(held(source));
  }
  return useAgentState(source, selector as (state: State) => Slice, isEqual);
}

interface Waiting {
  /** The same promise each time, as a replica gives it. */
  ready(): Promise<void>;
  /** A replica's. */
  readonly sync?: Readable<{ readonly ready: boolean; readonly pending: unknown }>;
}

const ON_SERVER =
  "There is no confirmed state on the server, so the nearest Suspense boundary's fallback is rendered here and the state in the browser. " +
  "To render it here, give the provider `initial`, or the replica a `snapshot`.";

/** Milliseconds for which the connection of a component that waited is kept until React puts it up. */
const KEPT = 5_000;

/** Those that are seen to. */
const seen = new WeakSet<Promise<void>>();

function held(source: Readable<unknown> & Waiting): Promise<void> {
  const ready = source.ready();
  if (seen.has(ready)) return ready;
  seen.add(ready);
  const hold = () => void setTimeout(source.subscribe(() => undefined), KEPT);
  ready.then(hold, () => undefined);
  return ready;
}
