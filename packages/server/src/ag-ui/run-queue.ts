// Runs on one thread, one after the other.

export interface RunQueue {
  /**
   * Calls `run` when every earlier run of the thread has settled; never when the signal aborts
   * before.
   */
  enqueue(threadId: string, signal: AbortSignal, run: () => Promise<void>): Promise<void>;
  /** Resolves when all runs have settled. */
  idle(): Promise<void>;
}

export function createRunQueue(): RunQueue {
  const last = new Map<string, Promise<void>>();

  return {
    async enqueue(threadId, signal, run) {
      const before = last.get(threadId);
      const mine = (async () => {
        await before;
        if (!signal.aborted) await run();
      })();
      const settled = mine.catch(() => {});
      last.set(threadId, settled);
      await settled;
      if (last.get(threadId) === settled) last.delete(threadId);
      return mine;
    },
    async idle() {
      await Promise.all(last.values());
    },
  };
}
