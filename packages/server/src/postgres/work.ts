// What a log does on the database besides appends: with retries, once the tables exist, and not
// after close.
//
// Invariants:
// - The tables are prepared once. After a failure the next work tries again.
// - After `close` was called no work begins, and work in the background is to stop.

import { OpstateError } from "@opstate/core";
import { type CallOptions, withinCall } from "@opstate/core/log";
import { type Database, type Query, withRetries } from "./database.ts";
import { prepareSchema } from "./schema.ts";

export class Work {
  readonly #database: Database;
  readonly #schema: string;
  readonly #background = new Set<Promise<void>>();
  #prepared: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  readonly #callTimeout: number;

  /** `callTimeout`: milliseconds, for calls without a deadline. */
  constructor(database: Database, schema: string, callTimeout: number) {
    this.#database = database;
    this.#schema = schema;
    this.#callTimeout = callTimeout;
  }

  /** The call with a deadline. */
  limited(call: CallOptions = {}): CallOptions {
    return { ...call, deadline: call.deadline ?? Date.now() + this.#callTimeout };
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

  /** Work that may be run again. */
  async run<T>(work: (database: Database) => Promise<T>, call?: CallOptions): Promise<T> {
    return this.#within(work, this.limited(call));
  }

  /** Runs housekeeping that may fail and take its time; the next one does the rest. */
  async runInBackground(work: (query: Query, stopped: () => boolean) => Promise<void>): Promise<void> {
    const stopped = () => this.#closing !== undefined;
    const done = this.#within(({ query }) => work(query, stopped), {}).catch(() => undefined);
    this.#background.add(done);
    await done.finally(() => this.#background.delete(done));
  }

  async #within<T>(work: (database: Database) => Promise<T>, call: CallOptions): Promise<T> {
    this.checkOpen();
    return withinCall(call, () =>
      withRetries(async () => {
        await this.ready();
        return work(this.#database.within(call));
      }, call),
    );
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
