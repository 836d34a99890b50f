// For sources that change faster than a screen does, as a chat does with every token.

import type { Readable } from "@opstate/core";

/**
 * About a frame. A timer and not an animation frame: those do not come while a page is hidden, and
 * an `$effect` may ring a bell there.
 */
const FRAME = 16;

/**
 * The same source, whose listeners are told of the first change at once, and of what follows at
 * most once a frame; the last is always told.
 */
export function perFrame<State>(source: Readable<State>): Readable<State> {
  return {
    getState: source.getState,
    getInitialState: source.getInitialState,
    subscribe(listener) {
      let told = source.getState();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const tell = () => {
        timer = undefined;
        const state = source.getState();
        if (Object.is(state, told)) return;
        const previous = told;
        told = state;
        timer = setTimeout(tell, FRAME);
        listener(state, previous);
      };
      const end = source.subscribe(() => {
        if (timer === undefined) tell();
      });
      return () => {
        end();
        clearTimeout(timer);
      };
    },
  };
}
