// Waiting that ends when a signal aborts, even when what is waited for does not care.

/** What `value` resolves to; rejects as soon as the signal aborts. */
export async function untilAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error("It was aborted."));
  });
  aborted.catch(() => {});
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) stop();
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    // What comes after it was given up concerns nobody.
    value.catch(() => {});
  }
}

/**
 * What `iterable` gives, until the signal aborts: then it throws, and tells the iterator to return.
 */
export async function* eachUntilAborted<T>(iterable: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = iterable[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a generator that waits for something else returns only after that.
    void iterator.return?.().catch(() => {});
  }
}
