// Waits that end when a signal aborts, even when the work that they wait for does not listen to it.

/** What `value` resolves to. Rejects as soon as the signal aborts. */
export async function untilAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  const abortable = new Abortable(signal);
  try {
    return await abortable.wait(value);
  } finally {
    abortable.release();
  }
}

/** What `iterable` gives, until the signal aborts: then it throws, and the iterator returns. */
export async function* eachUntilAborted<T>(iterable: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = iterable[Symbol.asyncIterator]();
  const abortable = new Abortable(signal);
  try {
    for (;;) {
      const next = await abortable.wait(iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    abortable.release();
    // Not awaited: a generator that waits for something else returns only after that.
    void iterator.return?.().catch(() => {});
  }
}

/** One wait after another, with one listener on the signal for all of them. */
class Abortable {
  readonly #signal: AbortSignal;
  #reject: (error: Error) => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#abort);
  }

  wait<T>(value: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      // Only the first outcome counts: a value after the abort is dropped.
      value.then(resolve, reject);
      if (this.#signal.aborted) this.#abort();
    });
  }

  release(): void {
    this.#signal.removeEventListener("abort", this.#abort);
  }

  #abort = (): void => this.#reject(new Error("It was aborted."));
}
