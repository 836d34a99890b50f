// Statements and transactions on the caller's pool, their errors, their time, and retries.
//
// Invariants:
// - A connection that failed never goes back to the pool.
// - Nothing waits longer than its call: its statement is cancelled, and its connection closed.
// - After a lost connection it is unknown whether the write happened. So only work that may run
//   twice is tried again.

import { setTimeout as delay } from "node:timers/promises";
import { OpstateError } from "@opstate/core";
import { type CallOptions, checkCall, withinCall } from "@opstate/core/log";
import { Client, type Pool, type PoolClient } from "pg";
import type { Row } from "../log/rows.ts";

/** SQL with placeholders. A statement with a name is parsed once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export type Query = (statement: Statement, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface Database {
  readonly query: Query;
  readonly transaction: <T>(
    work: (query: Query) => Promise<T>,
    mode?: "READ COMMITTED" | "REPEATABLE READ READ ONLY",
  ) => Promise<T>;
  /** The same, for a call. */
  within(call: CallOptions): Database;
}

/** A node that hangs inside a transaction must not lock the head of a thread forever. */
const BEGIN = "SET LOCAL idle_in_transaction_session_timeout = 10000";
/** Milliseconds for the connection that cancels a statement. */
const CANCEL_TIMEOUT = 2_000;

export function createDatabase(pool: Pool, call: CallOptions = {}): Database {
  /** Runs `work` on a connection, which is closed when the call is over before `work` ends. */
  async function connected<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
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
    let broken = false;
    try {
      return await withinCall(call, () => {
        isRunning = true;
        return work(client).finally(() => (isRunning = false));
      });
    } catch (error) {
      broken = isRunning || error instanceof BrokenConnection;
      if (isRunning) cancel(pool, client);
      throw error instanceof BrokenConnection ? error.cause : error;
    } finally {
      if (!broken) client.off("error", ignore);
      client.release(broken);
    }
  }

  async function run(client: PoolClient, statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    checkCall(call);
    const config = values.length === 0 ? { text: statement.text } : { ...statement, values: [...values] };
    return (await client.query<Row>(config)).rows;
  }

  return {
    query: (statement, values = []) =>
      connected((client) =>
        run(client, statement, values).catch((error: unknown) => {
          throw new BrokenConnection("", { cause: error });
        }),
      ),

    transaction: (work, mode = "READ COMMITTED") =>
      connected(async (client) => {
        try {
          await client.query(`BEGIN ISOLATION LEVEL ${mode}; ${BEGIN}`);
          const result = await work((statement, values = []) => run(client, statement, values));
          await client.query("COMMIT");
          return result;
        } catch (error) {
          await client.query("ROLLBACK").catch(() => {
            throw new BrokenConnection("", { cause: error });
          });
          throw error;
        }
      }),

    within: (next) => createDatabase(pool, next),
  };
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

/** The connection is not used again. `cause`: what the work failed with. */
class BrokenConnection extends Error {}

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

const RETRY_DELAYS = [50, 200, 750] as const;

/**
 * Runs `work`, and runs it again a few times after a lost connection or a serialization failure.
 * Rejects with `log_unavailable` when the database stays away.
 */
export async function withRetries<T>(work: () => Promise<T>, call: CallOptions = {}): Promise<T> {
  for (const milliseconds of RETRY_DELAYS) {
    try {
      return await work();
    } catch (error) {
      if (!isSerialization(error) && !isLost(error)) throw toLogError(error);
    }
    await delay(milliseconds);
    checkCall(call);
  }
  try {
    return await work();
  } catch (error) {
    throw toLogError(error);
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === "23505";
}

function isSerialization(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error));
}

const LOST_CODES = new Set([
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

function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== "") return code.startsWith("08") || LOST_CODES.has(code);
  // The driver's own errors have no code.
  return (
    error instanceof Error &&
    /^connection terminated|not queryable|timeout exceeded when trying to connect/i.test(error.message)
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** No such database, wrong password, missing permission, read-only: a retry would not help. */
const UNUSABLE_CODES = new Set(["3D000", "28000", "28P01", "42501", "25006"]);

function toLogError(error: unknown): unknown {
  const reason = error instanceof Error && error.message !== "" ? error.message : codeOf(error);
  if (UNUSABLE_CODES.has(codeOf(error))) {
    return new OpstateError(
      "log_unavailable",
      `The Postgres log cannot use this database: ${reason}. Give postgresLog a pool to the primary, with a role that may create its schema and write to it.`,
      { cause: error },
    );
  }
  if (!isLost(error)) return error;
  return new OpstateError(
    "log_unavailable",
    `The Postgres log lost its connection or cannot be reached: ${reason}. It is not known whether a write was stored. Send it again with its id: it has one effect.`,
    { cause: error },
  );
}
