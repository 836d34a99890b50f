// The one shape of everything that can be watched. It is zustand's vanilla store shape, so its `useStore` takes it as it is.

/** A value that changes over time. `subscribe` does not call at once; it returns the function that ends the subscription. */
export interface Readable<T> {
  readonly getState: () => T;
  readonly getInitialState: () => T;
  readonly subscribe: (listener: (state: T, previous: T) => void) => () => void;
}

/** A Readable that its owner sets. Listeners run in order; one that throws does not stop the others, its error is thrown to the event loop. */
export interface Source<T> extends Readable<T> {
  readonly set: (next: T) => void;
}

export function createSource<T>(initial: T): Source<T> {
  const listeners = new Set<(state: T, previous: T) => void>();
  let current = initial;
  return {
    getState: () => current,
    getInitialState: () => initial,
    subscribe(listener) {
      // A wrapper per call, so that one function subscribed twice is two subscriptions.
      const entry = (state: T, previous: T) => listener(state, previous);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    set(next) {
      if (Object.is(next, current)) return;
      const previous = current;
      current = next;
      callEach(listeners, (listener) => listener(next, previous));
    },
  };
}

/** Calls every listener; an error goes to the event loop (as an unhandled rejection) instead of to the caller or the other listeners. */
export function callEach<L>(listeners: Iterable<L>, call: (listener: L) => void): void {
  for (const listener of [...listeners]) {
    try {
      call(listener);
    } catch (error) {
      void Promise.reject(error);
    }
  }
}
