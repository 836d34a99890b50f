// An iteration that ends when a signal aborts, even when what it iterates does not care.

/**
 * Yields what `iterable` yields; throws the signal's reason as soon as it aborts, and tells the
 * iterator to return.
 */
export async function* untilAborted<T>(iterable: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = iterable[Symbol.asyncIterator]();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  aborted.catch(() => {});
  signal.addEventListener("abort", abort);
  try {
    signal.throwIfAborted();
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // Not awaited: a generator that waits for something else returns only after that. What it
    // throws then concerns nobody.
    void iterator.return?.().catch(() => {});
  }
}
