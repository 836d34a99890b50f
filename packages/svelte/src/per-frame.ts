// At most one notification per frame, for sources that change faster than a screen refreshes, such
// as a chat with every token.

import type { Readable } from "@opstate/core";

/**
 * Milliseconds, about one frame. It is a timer, because a hidden page has no animation frames, and
 * an `$effect` may have to run there, for instance to play a sound.
 */
const FRAME_MS = 16;

/**
 * Returns the same source with paced notifications: the first change at once, further ones at most
 * once per frame. The last state is always notified.
 */
export function perFrame<State>(source: Readable<State>): Readable<State> {
  return {
    getState: source.getState,
    getInitialState: source.getInitialState,
    subscribe(listener) {
      let shown = source.getState();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const notify = () => {
        timer = undefined;
        const state = source.getState();
        if (Object.is(state, shown)) return;
        const previous = shown;
        shown = state;
        timer = setTimeout(notify, FRAME_MS);
        listener(state, previous);
      };
      const unsubscribe = source.subscribe(() => {
        if (timer === undefined) notify();
      });
      return () => {
        unsubscribe();
        clearTimeout(timer);
      };
    },
  };
}
