// Runs programs on the caller's pool, each in a transaction, within the time of its call.
//
// Invariants:
// - A connection that failed never goes back to the pool.
// - Nothing waits longer than its call: its statement is cancelled, and its connection closed.
// - When the answer to COMMIT was lost it is unknown whether the write happened, and it is not
//   tried again: an append without a producer would be there twice. Before it, nothing happened.

import { setTimeout as delay } from "node:timers/promises";
import { OpstateError } from "@opstate/core";
import { type CallOptions, checkCall, withinCall } from "@opstate/core/log";
import { Client, type Pool, type PoolClient } from "pg";
import { Collision, type Insert, type Program, type Row } from "../sql/program.ts";

export interface DatabaseOptions {
  readonly pool: Pool;
  readonly schema: string;
  /** Milliseconds, for calls without a deadline. */
  readonly callTimeout: number;
}

/** A node that hangs inside a transaction must not lock a stream forever. */
const IDLE = "SET LOCAL idle_in_transaction_session_timeout = 10000";
/** Milliseconds for the connection that cancels a statement. */
const CANCEL_TIMEOUT = 2_000;
const RETRY_DELAYS = [0, 20, 50, 200, 750];

export class Database {
  readonly #options: DatabaseOptions;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** Runs a program in a transaction. `make`: a new one for each attempt. */
  write<T>(make: () => Program<T>, call?: CallOptions): Promise<T> {
    return this.#retried("READ COMMITTED", make, call);
  }

  /** Runs a program that writes nothing, and sees one moment. */
  read<T>(make: () => Program<T>, call?: CallOptions): Promise<T> {
    return this.#retried("REPEATABLE READ READ ONLY", make, call);
  }

  async #retried<T>(mode: string, make: () => Program<T>, given: CallOptions = {}): Promise<T> {
    const call = { ...given, deadline: given.deadline ?? Date.now() + this.#options.callTimeout };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#run(mode, make, call);
      } catch (error) {
        if (attempt === RETRY_DELAYS.length || error instanceof LostCommit || !mayRepeat(error))
          throw toStoreError(error);
      }
      await delay(RETRY_DELAYS[attempt]);
      checkCall(call);
    }
  }

  async #run<T>(mode: string, make: () => Program<T>, call: CallOptions): Promise<T> {
    const { pool, schema } = this.#options;
    const connecting = connect(pool);
    const client = await withinCall(call, () => connecting).catch((error: unknown) => {
      // It may still come, and is not awaited.
      connecting.then(
        (late) => late.off("error", ignore).release(),
        () => undefined,
      );
      throw error;
    });
    let isRunning = false;
    let isBroken = true;
    try {
      const value = await withinCall(call, () => {
        isRunning = true;
        const begin = `BEGIN ISOLATION LEVEL ${mode}; SET LOCAL search_path TO "${schema}"; ${IDLE}`;
        return transaction(client, begin, make()).finally(() => (isRunning = false));
      });
      isBroken = false;
      return value;
    } catch (error) {
      isBroken = isRunning || error instanceof BrokenConnection;
      if (isRunning) cancel(pool, client);
      throw error instanceof BrokenConnection ? error.cause : error;
    } finally {
      if (!isBroken) client.off("error", ignore);
      client.release(isBroken);
    }
  }
}

/** The connection is not used again. `cause`: what went wrong. */
class BrokenConnection extends Error {}
/** It is not known whether the transaction happened. */
class LostCommit extends Error {}

async function transaction<T>(client: PoolClient, begin: string, program: Program<T>): Promise<T> {
  let value: T;
  try {
    await client.query(begin);
    value = await perform(client, program);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {
      throw new BrokenConnection("", { cause: error });
    });
    throw error;
  }
  try {
    await client.query("COMMIT");
    return value;
  } catch (error) {
    // The database said no: nothing happened. Else it may have.
    const cause = isServerError(error) ? error : new LostCommit("", { cause: error });
    throw new BrokenConnection("", { cause });
  }
}

async function perform<T>(client: PoolClient, program: Program<T>): Promise<T> {
  let rows: readonly Row[] = [];
  for (;;) {
    const { done, value } = program.next(rows);
    if (done === true) return value;
    if ("table" in value) {
      await insert(client, value);
      rows = [];
    } else rows = (await client.query<Row>(value.text, [...value.values])).rows;
  }
}

/** Rows of one statement. */
const AT_ONCE = 1_000;

async function insert(client: PoolClient, { rows }: Insert): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE);
    const column = (index: number) =>
      some.map((row) => (row[index] instanceof Uint8Array ? Buffer.from(row[index]) : row[index]));
    await client.query(
      `INSERT INTO records (stream, position, until, append_until, size, data)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[])`,
      [0, 1, 2, 3, 4, 5].map(column),
    );
  }
}

/**
 * Takes a connection, with a listener for its loss: without one the event would end the process.
 * The listener is there at once, because a connection may be lost in the very bytes that open it.
 */
function connect(pool: Pool): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client) resolve(client.on("error", ignore));
      else reject(error);
    });
  });
}

/** The query that fails on a lost connection rejects anyway. */
function ignore(): void {}

/**
 * Asks the server to stop what a connection is doing. It may be gone or hang: it is not awaited.
 */
function cancel({ options }: Pool, client: PoolClient): void {
  // The driver knows it, its types do not.
  const { processID } = client as { readonly processID?: number };
  if (processID === undefined) return;
  const other = new Client({ ...options, connectionTimeoutMillis: CANCEL_TIMEOUT, query_timeout: CANCEL_TIMEOUT });
  other.on("error", () => undefined);
  void other
    .connect()
    .then(() => other.query("SELECT pg_cancel_backend($1)", [processID]))
    .catch(() => undefined)
    .then(() => other.end())
    .catch(() => undefined);
}

const LOST = new Set([
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** Of serialization, deadlocks and keys that another node was first to take. */
const COLLISIONS = new Set(["40001", "40P01", "23505"]);

function mayRepeat(error: unknown): boolean {
  return error instanceof Collision || COLLISIONS.has(codeOf(error)) || isLost(error);
}

function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== "") return code.startsWith("08") || LOST.has(code);
  // The driver's own errors have no code.
  return (
    error instanceof Error &&
    /^connection terminated|not queryable|timeout exceeded when trying to connect/i.test(error.message)
  );
}

/** Said by the database, and not by the network: it has a code of five characters. */
function isServerError(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(codeOf(error)) && !isLost(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && !(error instanceof OpstateError) && "code" in error ? String(error.code) : "";
}

/** No such database, wrong password, missing permission, read-only: a retry would not help. */
const UNUSABLE = new Set(["3D000", "28000", "28P01", "42501", "25006"]);

function toStoreError(error: unknown): unknown {
  const cause = error instanceof LostCommit ? error.cause : error;
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : codeOf(cause);
  if (UNUSABLE.has(codeOf(cause))) {
    return new OpstateError(
      "log_unavailable",
      `The Postgres streams cannot use this database: ${reason}. Give postgresStreams a pool to the primary, with a role that may create its schema and write to it.`,
      { cause },
    );
  }
  if (error instanceof LostCommit || isLost(error)) {
    const outcome =
      error instanceof LostCommit
        ? "It is not known whether a write was stored: a producer sends it again with its number."
        : "Nothing was done.";
    return new OpstateError(
      "log_unavailable",
      `The Postgres streams lost their connection or cannot be reached: ${reason}. ${outcome}`,
      { cause },
    );
  }
  return error;
}
