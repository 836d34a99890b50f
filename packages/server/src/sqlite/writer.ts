// Group commit: queued writes, of any thread, share one transaction and one fsync.
//
//   write() -> queue -> BEGIN IMMEDIATE, job 1 ... job n, COMMIT (fsync) -> resolve each
//                         | a job throws
//                         v
//                       ROLLBACK, then the same group with a savepoint per job: the job that throws
//                       is rolled back and rejects alone
//
// Invariants:
// - A write resolves only after COMMIT returned.
// - No transaction is open between two turns of the event loop. So reads on the same connection see
//   durable data only.
// - A write may run twice, since its group may. Groups without an error pay for no savepoint.
// - While another process has the file locked, nothing is written. Each write waits no longer than
//   its own time.

import type { DatabaseSync } from "node:sqlite";
import { OpstateError } from "@opstate/core";
import { delayAfter, isLocked, lockedError, type LockOptions } from "./locked.ts";

/** Writes per transaction. A larger group gains little and would block the event loop. */
const GROUP_LIMIT = 512;

/** Resolves or rejects the promise of one write. */
type Acknowledge = () => void;

interface Job {
  /** Writes, and returns what to call when the write is durable. It may run twice. */
  run(): Acknowledge;
  reject(error: unknown): void;
  readonly queuedAt: number;
}

export interface Writer {
  /** Runs `write` inside the next transaction. Resolves with its result when that is durable. */
  write<T>(write: () => T): Promise<T>;
  /** Resolves when all queued writes are done. Later writes reject. */
  close(): Promise<void>;
}

export function createWriter(database: DatabaseSync, options: LockOptions): Writer {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const mark = database.prepare("SAVEPOINT entry");
  const rollbackToMark = database.prepare("ROLLBACK TO entry");
  const rollback = database.prepare("ROLLBACK");
  const release = database.prepare("RELEASE entry");
  let queue: Job[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;

  function runInSavepoint(job: Job): Acknowledge {
    mark.run();
    try {
      const acknowledge = job.run();
      release.run();
      return acknowledge;
    } catch (error) {
      if (isLocked(error)) throw error;
      // Throws when SQLite rolled back the whole transaction (disk full, I/O error). Then nothing
      // of the group was written.
      rollbackToMark.run();
      release.run();
      return () => job.reject(error);
    }
  }

  /** When it throws, nothing was written. */
  function inTransaction(run: () => readonly Acknowledge[]): readonly Acknowledge[] {
    begin.run();
    try {
      const acknowledges = run();
      commit.run();
      return acknowledges;
    } catch (error) {
      try {
        rollback.run();
      } catch {
        // SQLite has rolled back by itself. The first error is the reason.
      }
      throw error;
    }
  }

  /** Undefined when the file is locked. Then nothing was written, and the group may run again. */
  function runGroup(jobs: readonly Job[]): readonly Acknowledge[] | undefined {
    try {
      return inTransaction(() => jobs.map((job) => job.run()));
    } catch (first) {
      if (isLocked(first)) return undefined;
      try {
        return inTransaction(() => jobs.map(runInSavepoint));
      } catch (error) {
        return isLocked(error) ? undefined : jobs.map((job) => () => job.reject(error));
      }
    }
  }

  /** Rejects the writes whose time is over. They are the first in the queue. */
  function rejectExpired(): void {
    const earliest = performance.now() - options.lockTimeout;
    const end = queue.findIndex(({ queuedAt }) => queuedAt > earliest);
    const expired = queue.splice(0, end === -1 ? queue.length : end);
    for (const { reject } of expired) reject(lockedError(options));
  }

  async function flush(): Promise<void> {
    for (let attempts = 0; queue.length > 0;) {
      await (attempts === 0 ? new Promise<void>((resolve) => setImmediate(resolve)) : delayAfter(attempts));
      const jobs = queue.slice(0, GROUP_LIMIT);
      const acknowledges = runGroup(jobs);
      if (acknowledges === undefined) {
        attempts += 1;
        rejectExpired();
        continue;
      }
      attempts = 0;
      queue = queue.slice(jobs.length);
      for (const acknowledge of acknowledges) acknowledge();
    }
    flushing = undefined;
  }

  return {
    write(write) {
      if (closed) return Promise.reject(new OpstateError("closed", `The log "${options.path}" is closed.`));
      return new Promise((resolve, reject) => {
        queue.push({
          run() {
            const value = write();
            return () => resolve(value);
          },
          reject,
          queuedAt: performance.now(),
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
