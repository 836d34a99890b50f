// The queue of runs: one run at a time per thread, in the order of their requests.

export interface RunQueue {
  /** Calls `run` after every earlier run of the thread, unless the signal aborts before that. */
  enqueue(threadId: string, signal: AbortSignal, run: () => Promise<void>): Promise<void>;
  /** Resolves when all runs have ended. */
  idle(): Promise<void>;
}

export function createRunQueue(): RunQueue {
  const last = new Map<string, Promise<void>>();

  return {
    async enqueue(threadId, signal, run) {
      const previous = last.get(threadId);
      const result = (async () => {
        await previous;
        if (!signal.aborted) await run();
      })();
      const ended = result.catch(() => {});
      last.set(threadId, ended);
      await ended;
      if (last.get(threadId) === ended) last.delete(threadId);
      return result;
    },
    async idle() {
      await Promise.all(last.values());
    },
  };
}
