// What a log does on the database besides appends: with retries, once the tables exist, and not
// after close.
//
// Invariants:
// - The tables are prepared once. After a failure the next work tries again.
// - After `close` was called no work begins, and work in the background is told to stop.

import { OpstateError } from "@opstate/core";
import { type Database, type Query, withRetries } from "./database.ts";
import { prepareSchema } from "./schema.ts";

export class Work {
  readonly #database: Database;
  readonly #schema: string;
  readonly #background = new Set<Promise<void>>();
  #prepared: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#schema = schema;
  }

  /** Resolves when the tables can be used. */
  ready(): Promise<void> {
    this.#prepared ??= prepareSchema(this.#database, this.#schema).catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  /** Throws an OpstateError `closed` after `close` was called. */
  checkOpen(): void {
    if (this.#closing) throw new OpstateError("closed", "The Postgres log is closed.");
  }

  async run<T>(work: (query: Query) => Promise<T>, lost: "retry" | "fail" = "retry"): Promise<T> {
    this.checkOpen();
    return withRetries(async () => {
      await this.ready();
      return work(this.#database.query);
    }, lost);
  }

  /** Runs housekeeping that may fail; the next one does the rest. */
  async runInBackground(work: (query: Query, stopped: () => boolean) => Promise<void>): Promise<void> {
    const done = this.run((query) => work(query, () => this.#closing !== undefined)).catch(() => undefined);
    this.#background.add(done);
    await done.finally(() => this.#background.delete(done));
  }

  /** Resolves when nothing runs in the background. */
  async idle(): Promise<void> {
    await Promise.all(this.#background);
  }

  /** Calls `finish` once, however often it is called itself. */
  close(finish: () => Promise<void>): Promise<void> {
    this.#closing ??= finish();
    return this.#closing;
  }
}
