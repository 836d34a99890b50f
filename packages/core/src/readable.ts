// The one interface of everything that can be subscribed to. It has the shape of zustand's vanilla
// store, so zustand's `useStore` accepts it. Also the entry `@opstate/core/readable`.

export { RefCount } from "./ref-count.ts";

/**
 * A value that changes over time. `subscribe` does not call the listener at once. It returns the
 * function that unsubscribes.
 */
export interface Readable<T> {
  readonly getState: () => T;
  readonly getInitialState: () => T;
  readonly subscribe: (listener: (state: T, previous: T) => void) => () => void;
}

/**
 * A Readable that its owner sets in two steps, so that several can change together: all have their
 * new values before any listener is called.
 */
export interface Source<T> extends Readable<T> {
  /** Sets the value. The returned function calls the listeners if the value changed. */
  readonly set: (next: T) => () => void;
}

export function createSource<T>(initial: T, onError?: (error: unknown) => void): Source<T> {
  const listeners = new Set<(state: T, previous: T) => void>();
  let current = initial;
  let notified = initial;

  /**
   * A listener may set the next value. Its listeners are called first then, and the outdated value
   * is passed to no further listener.
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
    subscribe: (listener) => addTo(listeners, listener),
    set(next) {
      current = next;
      return notify;
    },
  };
}

/**
 * Calls every listener. An error of one does not stop the others: it goes to `onError`, by default
 * to the event loop as an unhandled rejection.
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

/**
 * A function of its own is added, so that a listener that subscribes twice has two subscriptions.
 * Returns the function that removes it.
 */
export function addTo<A extends unknown[]>(
  listeners: Set<(...args: A) => void>,
  listener: (...args: A) => void,
): () => void {
  const entry = (...args: A) => listener(...args);
  listeners.add(entry);
  return () => void listeners.delete(entry);
}

function unhandled(reason: unknown): void {
  void Promise.reject(reason);
}
