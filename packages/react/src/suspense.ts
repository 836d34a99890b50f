// Reading with Suspense: a component waits for the first confirmed state instead of showing the
// definition's initial one.
//
// Rendering opens no connection. A server never connects: it renders the fallback of the boundary.

import type { IsEqual } from "@opstate/client/binding";
import type { Readable } from "@opstate/core";
import { use, useEffect } from "react";
import { useAgentState } from "./agent-state.ts";
import { useIsServer } from "./server.ts";

/**
 * As `useAgentState`, but the component suspends until the source is ready. When the server does
 * not admit the actor, or the client is closed, the error boundary gets the error. On a server, a
 * source that is not ready throws, so that React renders the fallback.
 *
 * @example
 * ```tsx
 * <Suspense fallback={<p>Opening the board</p>}>
 *   <Board />
 * </Suspense>;
 *
 * function Board() {
 *   const columns = useSuspenseAgentState(thread, (board) => board.columns);
 *   // ...
 * }
 * ```
 */
export function useSuspenseAgentState<State>(source: Readable<State> & ReadySource): State;
export function useSuspenseAgentState<State, Slice>(
  source: Readable<State> & ReadySource,
  selector: (state: State) => Slice,
  isEqual?: IsEqual<Slice>,
): Slice;
export function useSuspenseAgentState<State, Slice>(
  source: Readable<State> & ReadySource,
  selector?: (state: State) => Slice,
  isEqual?: IsEqual<Slice>,
): State | Slice {
  const onServer = useIsServer();
  const isReady = source.sync?.getState().ready === true;
  if (onServer && !isReady) throw Object.assign(new Error(ON_SERVER), FOR_THE_BROWSER);
  // React requires that a component which suspended calls `use` with the same promise again.
  use(isReady && !waits.has(source) ? READY : retain(source));
  const state = useAgentState(source, selector as (state: State) => Slice, isEqual);
  // The component is mounted and subscribed now.
  useEffect(() => waits.get(source)?.release(), [source]);
  return state;
}

interface ReadySource {
  /** The same promise each time, as a thread returns it. */
  ready(): Promise<void>;
  /** That of a client's thread, or a replica. */
  readonly sync?: Readable<{ readonly ready: boolean }>;
}

const ON_SERVER = "The browser renders this. To render it on a server, give the provider `initial`.";

/**
 * How Next recognizes an error that says "render this in the browser": it reports none, on either
 * side. To React and to other hosts it means nothing.
 */
const FOR_THE_BROWSER = { digest: "BAILOUT_TO_CLIENT_SIDE_RENDERING", reason: "useSuspenseAgentState()" };

/** A promise that `use` reads without suspending. */
const READY = Object.assign(Promise.resolve(), { status: "fulfilled" as const, value: undefined });

/**
 * Milliseconds for which the connection of a suspended component is kept until React mounts it.
 */
const RETAIN_MS = 5_000;

interface Wait {
  readonly ready: Promise<void>;
  release(): void;
}

/** The wait for each source, for as long as the source exists. */
const waits = new WeakMap<object, Wait>();

/** Resolves when the source is ready. The connection is kept until the component is mounted. */
function retain(source: Readable<unknown> & ReadySource): Promise<void> {
  const ready = source.ready();
  if (waits.get(source)?.ready === ready) return ready;
  const wait: Wait = { ready, release: () => undefined };
  waits.set(source, wait);
  const keepConnected = () => {
    const end = source.subscribe(() => undefined);
    const timer = setTimeout(end, RETAIN_MS);
    wait.release = () => {
      clearTimeout(timer);
      end();
    };
  };
  ready.then(keepConnected, () => undefined);
  return ready;
}
