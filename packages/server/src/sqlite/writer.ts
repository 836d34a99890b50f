// Group commit: writes that wait together, of any thread, share one transaction and one fsync.
//
// Invariants: a write resolves only after COMMIT returned; a write that throws is undone and rejects alone; no transaction is ever open
// between two turns of the event loop, so reads on the same connection see durable data only. A write may run twice: when one of a group
// throws, the group is rolled back and runs again with a savepoint around each, so that the usual group pays for none.

import type { DatabaseSync } from "node:sqlite";
import { OpstateError } from "@opstate/core";

/** Writes per transaction: beyond it the gain is small and the event loop would wait. */
const groupLimit = 512;

type Settle = () => void;

interface Job {
  /** Writes, and returns what to call when the write is durable. Runs again when its transaction was rolled back. */
  run(): Settle;
  reject(error: unknown): void;
}

export interface Writer {
  /** Runs `write` inside the next transaction; resolves with its result when that is durable. */
  write<T>(write: () => T): Promise<T>;
  /** Resolves when all that was queued is settled. Later writes reject. */
  close(): Promise<void>;
}

export function createWriter(database: DatabaseSync, path: string): Writer {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const mark = database.prepare("SAVEPOINT entry");
  const undo = database.prepare("ROLLBACK TO entry");
  const rollback = database.prepare("ROLLBACK");
  const release = database.prepare("RELEASE entry");
  let queue: Job[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;

  function guarded(job: Job): Settle {
    mark.run();
    try {
      const settle = job.run();
      release.run();
      return settle;
    } catch (error) {
      // Throws when SQLite gave up the whole transaction (disk full, I/O error): then nothing of the group happened.
      undo.run();
      release.run();
      return () => job.reject(error);
    }
  }

  /** Throws when nothing was written. */
  function inTransaction(run: () => readonly Settle[]): readonly Settle[] {
    begin.run();
    try {
      const settles = run();
      commit.run();
      return settles;
    } catch (error) {
      try {
        rollback.run();
      } catch {
        // SQLite has rolled back by itself; the reason is the first error.
      }
      throw error;
    }
  }

  function runGroup(jobs: readonly Job[]): readonly Settle[] {
    try {
      return inTransaction(() => jobs.map((job) => job.run()));
    } catch {
      try {
        return inTransaction(() => jobs.map(guarded));
      } catch (error) {
        return jobs.map((job) => () => job.reject(error));
      }
    }
  }

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const jobs = queue.slice(0, groupLimit);
      queue = queue.slice(groupLimit);
      for (const settle of runGroup(jobs)) settle();
    }
    flushing = undefined;
  }

  return {
    write(write) {
      if (closed) return Promise.reject(new OpstateError("closed", `The log "${path}" is closed.`));
      return new Promise((resolve, reject) => {
        queue.push({
          run() {
            const value = write();
            return () => resolve(value);
          },
          reject,
        });
        flushing ??= flush();
      });
    },
    async close() {
      closed = true;
      await flushing;
    },
  };
}
