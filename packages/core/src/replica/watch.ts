// A Readable that changes in two steps, so that several of them can change together: all hold their new value before anybody is told.

import { callEach, type Readable } from "../readable.ts";

export interface Watched<T> extends Readable<T> {
  /** Sets the value; the returned function tells the listeners, when it changed. */
  set(next: T): () => void;
}

export function watch<T>(initial: T): Watched<T> {
  const listeners = new Set<(state: T, previous: T) => void>();
  let current = initial;
  return {
    getState: () => current,
    getInitialState: () => initial,
    subscribe(listener) {
      const entry = (state: T, previous: T) => listener(state, previous);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    set(next) {
      const previous = current;
      current = next;
      return () => {
        if (!Object.is(next, previous)) callEach(listeners, (listener) => listener(next, previous));
      };
    },
  };
}
