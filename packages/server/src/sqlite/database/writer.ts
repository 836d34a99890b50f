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

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CallOptions } from "@opstate/core/log";
import { checkCall, logError } from "@opstate/core/log/storage";
import { delayAfter, isLocked, lockedError, type LockOptions } from "./locked.ts";

/** Writes per transaction. A larger group gains little and would block the event loop. */
const GROUP_LIMIT = 512;

/** Resolves or rejects the promise of one write. */
type Acknowledge = () => void;

interface Job {
  /** Writes, and returns what to call when the write is durable. It may run twice. */
  run(): Acknowledge;
  readonly call: CallOptions | undefined;
  reject(error: unknown): void;
  readonly queuedAt: number;
}

export class Writer {
  readonly #options: LockOptions;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  readonly #mark: StatementSync;
  readonly #rollbackToMark: StatementSync;
  readonly #release: StatementSync;
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;
  #isClosed = false;

  constructor(database: DatabaseSync, options: LockOptions) {
    this.#options = options;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#rollback = database.prepare("ROLLBACK");
    this.#mark = database.prepare("SAVEPOINT entry");
    this.#rollbackToMark = database.prepare("ROLLBACK TO entry");
    this.#release = database.prepare("RELEASE entry");
  }

  /** Runs `write` inside the next transaction. Resolves with its result when that is durable. */
  write<T>(write: () => T, call?: CallOptions): Promise<T> {
    if (this.#isClosed) return Promise.reject(logError("closed", `The log "${this.#options.path}" is closed.`));
    return new Promise((resolve, reject) => {
      this.#queue.push({
        run() {
          const value = write();
          return () => resolve(value);
        },
        call,
        reject,
        queuedAt: performance.now(),
      });
      this.#flushing ??= this.#flush();
    });
  }

  /** Resolves when all queued writes are done. Later writes reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#flushing;
  }

  #runInSavepoint(job: Job): Acknowledge {
    this.#mark.run();
    try {
      const acknowledge = job.run();
      this.#release.run();
      return acknowledge;
    } catch (error) {
      if (isLocked(error)) throw error;
      // Throws when SQLite rolled back the whole transaction (disk full, I/O error). Then nothing
      // of the group was written.
      this.#rollbackToMark.run();
      this.#release.run();
      return () => job.reject(error);
    }
  }

  /** When it throws, nothing was written. */
  #inTransaction(run: () => readonly Acknowledge[]): readonly Acknowledge[] {
    this.#begin.run();
    try {
      const acknowledges = run();
      this.#commit.run();
      return acknowledges;
    } catch (error) {
      try {
        this.#rollback.run();
      } catch {
        // SQLite has rolled back by itself. The first error is the reason.
      }
      throw error;
    }
  }

  /** Undefined when the file is locked. Then nothing was written, and the group may run again. */
  #runGroup(jobs: readonly Job[]): readonly Acknowledge[] | undefined {
    try {
      return this.#inTransaction(() => jobs.map((job) => job.run()));
    } catch (first) {
      if (isLocked(first)) return undefined;
      try {
        return this.#inTransaction(() => jobs.map((job) => this.#runInSavepoint(job)));
      } catch (error) {
        return isLocked(error) ? undefined : jobs.map((job) => () => job.reject(error));
      }
    }
  }

  /** Rejects the writes whose call is over. They are not written. */
  #rejectEnded(): void {
    this.#queue = this.#queue.filter(({ call, reject }) => {
      if (call === undefined) return true;
      try {
        checkCall(call);
        return true;
      } catch (error) {
        reject(error);
        return false;
      }
    });
  }

  /** Rejects the writes that waited for the lock too long. They are the first in the queue. */
  #rejectExpired(): void {
    const earliest = performance.now() - this.#options.lockTimeout;
    const end = this.#queue.findIndex(({ queuedAt }) => queuedAt > earliest);
    const expired = this.#queue.splice(0, end === -1 ? this.#queue.length : end);
    for (const { reject } of expired) reject(lockedError(this.#options));
  }

  async #flush(): Promise<void> {
    for (let attempts = 0; this.#queue.length > 0;) {
      await (attempts === 0 ? new Promise<void>((resolve) => setImmediate(resolve)) : delayAfter(attempts));
      this.#rejectEnded();
      const jobs = this.#queue.slice(0, GROUP_LIMIT);
      if (jobs.length === 0) continue;
      const acknowledges = this.#runGroup(jobs);
      if (acknowledges === undefined) {
        attempts += 1;
        this.#rejectExpired();
        continue;
      }
      attempts = 0;
      this.#queue = this.#queue.slice(jobs.length);
      for (const acknowledge of acknowledges) acknowledge();
    }
    this.#flushing = undefined;
  }
}
