// The pace at which components follow a source: the first change at once, what follows in the same
// frame together in the next.
//
// React renders once for all changes of one task, but once more for each task, and messages come in
// tasks of their own: many more than a screen shows. So components see a source through this, one
// for each source, because it holds what they see: were some told earlier than others, one could
// look for a thing that its parent does not know to be gone. An own edit does not wait: a
// controlled input would lose its caret.

import type { Readable } from "@opstate/core";

/** What changes with each own edit. */
type Queue = Readable<{ readonly pending: unknown }>;

/** A source; a replica's says what is pending. */
export type Followed<State> = Readable<State> & { readonly sync?: Queue };

/** Nothing but what is derived from its key, for as long as that lives. */
const made = new WeakMap<object, Readable<unknown>>();

/** For a hidden page, which has no frames. */
const HIDDEN_FRAME = 100;

/**
 * The source as components follow it: the same for the same source. Where there are no frames, as
 * on a server, the source itself.
 */
export function perFrame<State>(source: Followed<State>, queue: Queue | undefined = source.sync): Readable<State> {
  if (typeof requestAnimationFrame !== "function") return source;
  // What is kept under a source was made from it.
  const known = made.get(source) as Readable<State> | undefined;
  const paced = known ?? pace(source, queue);
  made.set(source, paced);
  return paced;
}

function pace<State>(source: Readable<State>, queue: Queue | undefined): Readable<State> {
  const listeners = new Set<{ readonly listener: (state: State, previous: State) => void }>();
  let shown: State;
  let shownPending: unknown;
  let held = false;
  let endFrame: (() => void) | undefined;
  let endFollowing: (() => void) | undefined;

  function look(): State {
    held = false;
    shownPending = queue?.getState().pending;
    shown = source.getState();
    return shown;
  }

  function show(): void {
    endFrame?.();
    endFrame = inNextFrame(() => {
      endFrame = undefined;
      if (held) show();
    });
    const previous = shown;
    const next = look();
    if (Object.is(next, previous)) return;
    for (const { listener } of [...listeners]) listener(next, previous);
  }

  function hear(): void {
    if (endFrame === undefined || queue?.getState().pending !== shownPending) show();
    else held = true;
  }

  return {
    getState: () => (endFollowing === undefined ? source.getState() : shown),
    getInitialState: () => source.getInitialState(),
    subscribe(listener) {
      const entry = { listener };
      listeners.add(entry);
      if (endFollowing === undefined) {
        look();
        endFollowing = source.subscribe(hear);
        // A connection may answer while it is made.
        look();
      }
      return () => {
        if (!listeners.delete(entry) || listeners.size > 0) return;
        endFollowing?.();
        endFrame?.();
        [endFollowing, endFrame] = [undefined, undefined];
      };
    },
  };
}

function inNextFrame(run: () => void): () => void {
  const end = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const once = () => {
    end();
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_FRAME);
  return end;
}
