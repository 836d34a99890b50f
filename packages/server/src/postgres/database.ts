// Statements and transactions on the caller's pool, their errors, and retries.
//
// Invariants:
// - A connection that failed never goes back to the pool.
// - After a lost connection it is unknown whether the write happened. So only work that may run
//   twice is tried again.

import { setTimeout as delay } from "node:timers/promises";
import { OpstateError } from "@opstate/core";
import type { Pool } from "pg";
import type { Row } from "../log/rows.ts";

/** SQL with placeholders. A statement with a name is parsed once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export type Query = (statement: Statement, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface Database {
  readonly query: Query;
  transaction<T>(work: (query: Query) => Promise<T>, mode?: "READ COMMITTED" | "REPEATABLE READ READ ONLY"): Promise<T>;
}

/** A node that hangs inside a transaction must not lock the head of a thread forever. */
const BEGIN = "SET LOCAL idle_in_transaction_session_timeout = 10000";

export function createDatabase(pool: Pool): Database {
  return {
    async query(statement, values = []) {
      return (await pool.query<Row>({ ...statement, values: [...values] })).rows;
    },
    async transaction(work, mode = "READ COMMITTED") {
      const client = await pool.connect();
      // The failing query rejects anyway. Without a listener the event would end the process.
      const ignore = () => undefined;
      client.on("error", ignore);
      let broken: unknown;
      try {
        await client.query(`BEGIN ISOLATION LEVEL ${mode}; ${BEGIN}`);
        const result = await work(
          async (statement, values = []) =>
            (
              await client.query<Row>(
                values.length === 0 ? { text: statement.text } : { ...statement, values: [...values] },
              )
            ).rows,
        );
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch((reason: unknown) => (broken = reason));
        throw error;
      } finally {
        client.off("error", ignore);
        client.release(broken !== undefined);
      }
    },
  };
}

const RETRY_DELAYS = [50, 200, 750] as const;

/**
 * Runs `work`, and runs it again a few times after a lost connection or a serialization failure.
 * Use `lost: "fail"` for work whose second run would give another result. Rejects with
 * `log_unavailable` when the database stays away.
 */
export async function withRetries<T>(work: () => Promise<T>, lost: "retry" | "fail" = "retry"): Promise<T> {
  for (const milliseconds of RETRY_DELAYS) {
    try {
      return await work();
    } catch (error) {
      if (!isSerialization(error) && !(lost === "retry" && isLost(error))) throw toLogError(error);
    }
    await delay(milliseconds);
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
