// Group commit: writes that wait together, of any thread, share one transaction and one fsync.
//
// Invariants: a write resolves only after COMMIT returned; a write that throws is undone and
// rejects alone; no transaction is ever open between two turns of the event loop, so reads on the
// same connection see durable data only. A write may run again: when one of a group throws, the
// group is rolled back and runs again with a savepoint around each, so that the usual group pays
// for none. While another process has the file locked, nothing is done and all wait, each no longer
// than its time.

import type { DatabaseSync } from "node:sqlite";
import { OpstateError } from "@opstate/core";
import { isLocked, lockedError, type LockOptions, pauseAfter } from "./locked.ts";

/** Writes per transaction: beyond it the gain is small and the event loop would wait. */
const GROUP_LIMIT = 512;

type Settle = () => void;

interface Job {
  /**
   * Writes, and returns what to call when the write is durable. Runs again when its transaction was
   * rolled back.
   */
  run(): Settle;
  reject(error: unknown): void;
  readonly since: number;
}

export interface Writer {
  /** Runs `write` inside the next transaction; resolves with its result when that is durable. */
  write<T>(write: () => T): Promise<T>;
  /** Resolves when all that was queued is settled. Later writes reject. */
  close(): Promise<void>;
}

export function createWriter(database: DatabaseSync, options: LockOptions): Writer {
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
      if (isLocked(error)) throw error;
      // Throws when SQLite gave up the whole transaction (disk full, I/O error): then nothing of
      // the group happened.
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

  /** Undefined when the file is locked: nothing was written, and all of the group may run again. */
  function runGroup(jobs: readonly Job[]): readonly Settle[] | undefined {
    try {
      return inTransaction(() => jobs.map((job) => job.run()));
    } catch (first) {
      if (isLocked(first)) return undefined;
      try {
        return inTransaction(() => jobs.map(guarded));
      } catch (error) {
        return isLocked(error) ? undefined : jobs.map((job) => () => job.reject(error));
      }
    }
  }

  /** Those whose time is over: they came first. */
  function giveUp(): void {
    const earliest = performance.now() - options.lockTimeout;
    const end = queue.findIndex(({ since }) => since > earliest);
    const late = queue.splice(0, end === -1 ? queue.length : end);
    for (const { reject } of late) reject(lockedError(options));
  }

  async function flush(): Promise<void> {
    for (let attempts = 0; queue.length > 0;) {
      await (attempts === 0 ? new Promise<void>((resolve) => setImmediate(resolve)) : pauseAfter(attempts));
      const jobs = queue.slice(0, GROUP_LIMIT);
      const settles = runGroup(jobs);
      if (settles === undefined) {
        attempts += 1;
        giveUp();
        continue;
      }
      attempts = 0;
      queue = queue.slice(jobs.length);
      for (const settle of settles) settle();
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
          since: performance.now(),
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
