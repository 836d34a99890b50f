// Records of runs in the memory of the process. They outlive a server, and not the process.

import type { RunEnd, RunHead, RunStore, StoredRun } from "./run-store.ts";

/**
 * Keeps runs in memory. A server has one of its own by default; two servers of one process, one
 * after the other, may be given the same.
 *
 * @example
 * ```ts
 * import { createServer, memoryRuns } from "@opstate/server";
 *
 * const runs = memoryRuns();
 * const server = createServer({ definitions: [board], log, authorize, runs: { store: runs } });
 * ```
 */
export function memoryRuns(): RunStore {
  const stored = new Map<string, MemoryRun>();

  return {
    async begin(head) {
      stored.set(head.key, { head, events: [] });
    },
    async append({ key }, after, events) {
      const run = stored.get(key);
      // It was dropped in the meantime.
      if (run === undefined) return;
      run.events.length = after;
      run.events.push(...events);
    },
    async end({ key }, status, at) {
      const run = stored.get(key);
      if (run !== undefined) run.end = { status, at };
    },
    async deliver({ key }) {
      const run = stored.get(key);
      if (run !== undefined) run.delivered = true;
    },
    async load(threadId, incarnation) {
      return [...stored.values()]
        .filter(({ head }) => head.threadId === threadId && head.incarnation === incarnation)
        .map((run): StoredRun => ({ ...run, events: [...run.events] }));
    },
    async drop(heads) {
      for (const { key } of heads) stored.delete(key);
    },
  };
}

interface MemoryRun {
  readonly head: RunHead;
  readonly events: string[];
  end?: { readonly status: RunEnd; readonly at: string };
  delivered?: true;
}
