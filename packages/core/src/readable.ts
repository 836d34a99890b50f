// The one shape of everything that can be watched. It is zustand's vanilla store shape, so its
// `useStore` takes it as it is.

/**
 * A value that changes over time. `subscribe` does not call at once; it returns the function that
 * ends the subscription.
 */
export interface Readable<T> {
  readonly getState: () => T;
  readonly getInitialState: () => T;
  readonly subscribe: (listener: (state: T, previous: T) => void) => () => void;
}

/**
 * A Readable that its owner sets, in two steps, so that several can change together: all hold their
 * new value before anybody is told.
 */
export interface Source<T> extends Readable<T> {
  /** Sets the value; the returned function tells the listeners, when it changed. */
  readonly set: (next: T) => () => void;
}

export function createSource<T>(initial: T, onError?: (error: unknown) => void): Source<T> {
  const listeners = new Set<(state: T, previous: T) => void>();
  let current = initial;
  let notified = initial;

  /**
   * A listener may bring about the next change, which is then told first: nobody is told a value
   * that is not there any more.
   */
  function notify(): void {
    const [next, previous] = [current, notified];
    notified = next;
    if (Object.is(next, previous)) return;
    callEach(
      listeners,
      (listener) => {
        if (Object.is(current, next)) listener(next, previous);
      },
      onError,
    );
  }

  return {
    getState: () => current,
    getInitialState: () => initial,
    subscribe(listener) {
      // A wrapper per call, so that one function subscribed twice is two subscriptions.
      const entry = (state: T, previous: T) => listener(state, previous);
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    set(next) {
      current = next;
      return notify;
    },
  };
}

/**
 * Calls every listener. One that throws does not stop the others: its error goes to `onError`, by
 * default to the event loop as an unhandled rejection.
 */
export function callEach<L>(
  listeners: Iterable<L>,
  call: (listener: L) => void,
  onError: (error: unknown) => void = unhandled,
): void {
  for (const listener of [...listeners]) {
    try {
      call(listener);
    } catch (error) {
      try {
        onError(error);
      } catch (worse) {
        unhandled(worse);
      }
    }
  }
}

function unhandled(reason: unknown): void {
  void Promise.reject(reason);
}
