// Runs programs on SQLite. Queued writes, of any stream, share one transaction and one fsync.
//
// Invariants:
// - A write resolves only after COMMIT returned.
// - No transaction is open between two turns of the event loop, so reads on the same connection see
//   durable data only.
// - A write that throws is rolled back alone, and rejects alone.
// - While another process has the file locked, nothing is written, and no call waits longer than
//   `lockTimeout` or than its own time.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { OpstateError } from "@opstate/core";
import { type CallOptions, checkCall } from "@opstate/core/log";
import type { Program, Row } from "../sql/program.ts";

/** Writes per transaction. A larger group gains little and would block the event loop. */
const GROUP = 256;
/** Milliseconds before each further attempt; the last delay repeats. */
const RETRY_DELAYS = [1, 2, 5, 10, 20];

interface Job {
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
  readonly call: CallOptions | undefined;
  readonly queuedAt: number;
}

export interface WriterOptions {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly lockTimeout: number;
}

export class Writer {
  readonly #options: WriterOptions;
  readonly #statements = new Map<string, StatementSync>();
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Runs a program in the next transaction. `make`: a new one for each attempt. */
  write<T>(make: () => Program<T>, call?: CallOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => {
        const value = this.#run(make());
        return () => resolve(value);
      };
      this.#queue.push({ run, reject, call, queuedAt: performance.now() });
      this.#flushing ??= this.#flush();
    });
  }

  /** Runs a program that writes nothing. It sees one moment, even while another process writes. */
  async read<T>(make: () => Program<T>, call?: CallOptions): Promise<T> {
    const begun = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      try {
        this.#options.database.exec("BEGIN");
        try {
          return this.#run(make());
        } finally {
          this.#options.database.exec("COMMIT");
        }
      } catch (error) {
        if (!isLocked(error)) throw error;
      }
      if (performance.now() - begun >= this.#options.lockTimeout) throw this.#lockedError();
      await delayAfter(attempt);
      checkCall(call);
    }
  }

  /** Resolves when all queued writes are done. */
  async idle(): Promise<void> {
    await this.#flushing;
  }

  #run<T>(program: Program<T>): T {
    let rows: readonly Row[] = [];
    for (;;) {
      const { done, value } = program.next(rows);
      if (done === true) return value;
      if ("table" in value) {
        rows = [];
        const insert = this.#statement(INSERT_RECORD);
        for (const row of value.rows) insert.run(...(row as (number | Uint8Array)[]));
      } else {
        rows = this.#statement(value.text).all(...(value.values as (string | number | null)[]));
      }
    }
  }

  #statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    // SQLite writes numbered placeholders as `?1`, not `$1`.
    const made = this.#options.database.prepare(text.replaceAll(/\$(\d+)/g, "?$1"));
    this.#statements.set(text, made);
    return made;
  }

  async #flush(): Promise<void> {
    for (let attempt = 0; this.#queue.length > 0;) {
      await (attempt === 0 ? new Promise<void>((resolve) => setImmediate(resolve)) : delayAfter(attempt));
      this.#rejectEnded();
      const jobs = this.#queue.slice(0, GROUP);
      if (jobs.length === 0) continue;
      const acknowledge = this.#runGroup(jobs);
      if (acknowledge === undefined) {
        attempt += 1;
        this.#rejectExpired();
        continue;
      }
      attempt = 0;
      this.#queue = this.#queue.slice(jobs.length);
      for (const one of acknowledge) one();
    }
    this.#flushing = undefined;
  }

  /** Undefined when the file is locked. Then nothing was written, and the group may run again. */
  #runGroup(jobs: readonly Job[]): readonly (() => void)[] | undefined {
    const { database } = this.#options;
    try {
      database.exec("BEGIN IMMEDIATE");
      const acknowledge = jobs.map((job) => this.#runInSavepoint(job));
      database.exec("COMMIT");
      return acknowledge;
    } catch (error) {
      // SQLite may have rolled back by itself.
      if (database.isTransaction) database.exec("ROLLBACK");
      return isLocked(error) ? undefined : jobs.map((job) => () => job.reject(error));
    }
  }

  #runInSavepoint(job: Job): () => void {
    const { database } = this.#options;
    database.exec("SAVEPOINT job");
    try {
      const acknowledge = job.run();
      database.exec("RELEASE job");
      return acknowledge;
    } catch (error) {
      if (isLocked(error)) throw error;
      // Throws when SQLite rolled back the whole transaction (disk full, I/O error).
      database.exec("ROLLBACK TO job; RELEASE job");
      return () => job.reject(error);
    }
  }

  /** Rejects the writes whose call is over. They are not written. */
  #rejectEnded(): void {
    this.#queue = this.#queue.filter(({ call, reject }) => {
      try {
        checkCall(call);
        return true;
      } catch (error) {
        reject(error);
        return false;
      }
    });
  }

  #rejectExpired(): void {
    const earliest = performance.now() - this.#options.lockTimeout;
    const expired = this.#queue.filter(({ queuedAt }) => queuedAt <= earliest);
    this.#queue = this.#queue.filter(({ queuedAt }) => queuedAt > earliest);
    for (const { reject } of expired) reject(this.#lockedError());
  }

  #lockedError(): OpstateError {
    const { path, lockTimeout } = this.#options;
    return new OpstateError(
      "log_unavailable",
      `The SQLite streams in "${path}" have been locked by another process for ${lockTimeout} ms, so nothing was done. Try again once that process has finished its transaction.`,
    );
  }
}

const INSERT_RECORD =
  "INSERT INTO records (stream, position, until, append_until, size, data) VALUES ($1, $2, $3, $4, $5, $6)";

/** Whether the error is SQLITE_BUSY in any variant. Then nothing was done. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5;
}

function delayAfter(attempt: number): Promise<void> {
  return delay(RETRY_DELAYS[Math.min(attempt, RETRY_DELAYS.length - 1)]);
}
