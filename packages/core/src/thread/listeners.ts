import { addTo, callEach } from "../readable.ts";

/**
 * The subscribers of one event. A function that is added twice is called twice. One that throws
 * does not stop the others.
 */
export class Listeners<T> {
  readonly #entries = new Set<(value: T) => void>();
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(onError?: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns the function that removes it. */
  add(listener: (value: T) => void): () => void {
    return addTo(this.#entries, listener);
  }

  notify(value: T): void {
    callEach(this.#entries, (listener) => listener(value), this.#onError);
  }
}
