// Iterates until a signal aborts, even when the iterable ignores the signal.

/**
 * Yields what `iterable` yields. When the signal aborts, it throws the signal's reason at once and
 * calls the iterator's `return`.
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
    // Not awaited: a generator that waits for something else returns only after that. An error that
    // it throws then is ignored.
    void iterator.return?.().catch(() => {});
  }
}
