// At most one notification per frame: the first change is notified at once, further changes of the
// same frame together in the next one.
//
// React renders once per task, and messages arrive in tasks of their own, more often than a screen
// refreshes.
//
// Invariants:
// - There is one paced source per source, so that all components see the same state. Otherwise a
//   child could render an item that its parent no longer has.
// - An own edit is notified at once: a controlled input would lose its caret.

import type { Readable } from "@opstate/core";

/** A part of the sync that changes with each own edit. */
type PendingSource = Readable<{ readonly pending: unknown }>;

/** A source; a replica has `sync` too. */
export type PacedSource<State> = Readable<State> & { readonly sync?: PendingSource };

/** The paced source of each source, for as long as the source exists. */
const pacedSources = new WeakMap<object, Readable<unknown>>();

/** Milliseconds per frame of a hidden page, which has no animation frames. */
const HIDDEN_FRAME_MS = 100;

/**
 * Returns the paced source: the same one for the same source. Where there are no animation frames,
 * as on a server, it is the source itself.
 */
export function perFrame<State>(
  source: PacedSource<State>,
  queue: PendingSource | undefined = source.sync,
): Readable<State> {
  if (typeof requestAnimationFrame !== "function") return source;
  // The map has the paced source of this very source, so the type is the same.
  const known = pacedSources.get(source) as Readable<State> | undefined;
  const paced = known ?? pace(source, queue);
  pacedSources.set(source, paced);
  return paced;
}

function pace<State>(source: Readable<State>, queue: PendingSource | undefined): Readable<State> {
  const listeners = new Set<{ readonly listener: (state: State, previous: State) => void }>();
  let shown: State;
  let shownPending: unknown;
  let hasChanged = false;
  let cancelFrame: (() => void) | undefined;
  let unsubscribe: (() => void) | undefined;

  function readSource(): State {
    hasChanged = false;
    shownPending = queue?.getState().pending;
    shown = source.getState();
    return shown;
  }

  function notify(): void {
    cancelFrame?.();
    cancelFrame = inNextFrame(() => {
      cancelFrame = undefined;
      if (hasChanged) notify();
    });
    const previous = shown;
    const next = readSource();
    if (Object.is(next, previous)) return;
    for (const { listener } of [...listeners]) listener(next, previous);
  }

  function onChange(): void {
    if (cancelFrame === undefined || queue?.getState().pending !== shownPending) notify();
    else hasChanged = true;
  }

  return {
    getState: () => (unsubscribe === undefined ? source.getState() : shown),
    getInitialState: () => source.getInitialState(),
    subscribe(listener) {
      const entry = { listener };
      listeners.add(entry);
      if (unsubscribe === undefined) {
        readSource();
        unsubscribe = source.subscribe(onChange);
        // The source may change while it is subscribed to.
        readSource();
      }
      return () => {
        if (!listeners.delete(entry) || listeners.size > 0) return;
        unsubscribe?.();
        cancelFrame?.();
        [unsubscribe, cancelFrame] = [undefined, undefined];
      };
    },
  };
}

function inNextFrame(run: () => void): () => void {
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const once = () => {
    cancel();
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_FRAME_MS);
  return cancel;
}
