// Tries a failed call again, less and less often. It keeps no process alive.

declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** Milliseconds before the first attempt; each further one waits twice as long, up to the limit. */
const FIRST_DELAY = 50;
const LONGEST_DELAY = 5_000;

export class Retry {
  readonly #attempt: () => void;
  #delay = FIRST_DELAY;
  #timer: unknown;
  #isClosed = false;

  constructor(attempt: () => void) {
    this.#attempt = attempt;
  }

  later(): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#attempt();
    }, this.#delay);
    this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY);
    // In Node a timer is an object.
    const { unref }: { readonly unref?: () => void } = Object(this.#timer);
    unref?.call(this.#timer);
  }

  /** The next failure is a first one. */
  reset(): void {
    this.#delay = FIRST_DELAY;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
