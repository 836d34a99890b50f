// Reading with Suspense: a component that waits for the first confirmed state instead of showing
// the definition's initial one.
//
// Nothing connects while it renders, and on a server not at all: there a boundary's fallback is
// what the page begins with.

import type { Readable } from "@opstate/core";
import { use, useEffect } from "react";
import { useAgentState } from "./agent-state.ts";
import type { IsEqual } from "./selection.ts";
import { useIsServer } from "./server.ts";

/**
 * As `useAgentState`, but the component suspends until the source is ready. An error boundary gets
 * why it is not: that the server does not let it in, or that it was closed. On a server a source
 * that is not ready throws, so that React goes on with the fallback.
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
  const isReady = source.sync?.getState().ready === true;
  if (onServer && !isReady) throw new Error(ON_SERVER);
  // In each render, and the same again: React wants a component that suspended to ask as it did
  // before.
  use(isReady && !waits.has(source) ? READY : held(source));
  const state = useAgentState(source, selector as (state: State) => Slice, isEqual);
  // From here on it is watched.
  useEffect(() => waits.get(source)?.release(), [source]);
  return state;
}

interface Waiting {
  /** The same promise each time, as a replica gives it. */
  ready(): Promise<void>;
  /** A replica's. */
  readonly sync?: Readable<{ readonly ready: boolean }>;
}

const ON_SERVER =
  "There is no confirmed state on the server, so the nearest Suspense boundary's fallback is rendered here and the state in the browser. " +
  "To render it here, give the provider `initial`, or the replica a `snapshot`.";

/** What `use` reads without waiting. */
const READY = Object.assign(Promise.resolve(), { status: "fulfilled" as const, value: undefined });

/**
 * Milliseconds for which the connection of a component that waited is kept until React puts it up.
 */
const KEPT = 5_000;

interface Wait {
  readonly ready: Promise<void>;
  release(): void;
}

/** Nothing but what is derived from its key, for as long as that lives. */
const waits = new WeakMap<object, Wait>();

/** When the source is ready; its connection is kept until the component is there. */
function held(source: Readable<unknown> & Waiting): Promise<void> {
  const ready = source.ready();
  if (waits.get(source)?.ready === ready) return ready;
  const wait: Wait = { ready, release: () => undefined };
  waits.set(source, wait);
  const hold = () => {
    const end = source.subscribe(() => undefined);
    const timer = setTimeout(end, KEPT);
    wait.release = () => {
      clearTimeout(timer);
      end();
    };
  };
  ready.then(hold, () => undefined);
  return ready;
}
