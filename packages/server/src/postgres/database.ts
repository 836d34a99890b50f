// One try of a statement or of a transaction on the caller's pool, and what its failures mean.
//
// Invariants: a connection that failed never goes back to the pool; a lost connection says nothing
// about whether the write happened, so only what is safe to do twice is done again.

import { setTimeout as delay } from "node:timers/promises";
import { OpstateError } from "@opstate/core";
import type { Pool } from "pg";

export type Row = Readonly<Record<string, unknown>>;

/** SQL with places for values; one with a name is parsed once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export type Query = (statement: Statement, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface Database {
  readonly query: Query;
  transaction<T>(work: (query: Query) => Promise<T>, mode?: "READ COMMITTED" | "REPEATABLE READ READ ONLY"): Promise<T>;
}

/** A node that hangs within a transaction must not hold the head of a thread for ever. */
const BEGIN = "SET LOCAL idle_in_transaction_session_timeout = 10000";

export function createDatabase(pool: Pool): Database {
  return {
    async query(statement, values = []) {
      return (await pool.query<Row>({ ...statement, values: [...values] })).rows;
    },
    async transaction(work, mode = "READ COMMITTED") {
      const client = await pool.connect();
      // The failing query rejects by itself; without a listener the event would end the process.
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

const PAUSES = [50, 200, 750] as const;

/**
 * Runs what may run twice: again after a lost connection or a serialization failure, a few times.
 * `lost: "fail"` is for work whose second run would answer something else. A database that stays
 * away rejects with `log_unavailable`.
 */
export async function retrying<T>(work: () => Promise<T>, lost: "retry" | "fail" = "retry"): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work();
    } catch (error) {
      if (!isSerialization(error) && !(lost === "retry" && isLost(error))) throw explained(error);
    }
    await delay(pause);
  }
  try {
    return await work();
  } catch (error) {
    throw explained(error);
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

/** No such database, wrong password, missing right, read-only: sending again would not help. */
const UNUSABLE_CODES = new Set(["3D000", "28000", "28P01", "42501", "25006"]);

function explained(error: unknown): unknown {
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
    `The Postgres log lost its connection or cannot be reached: ${reason}. Whether a write was stored is not known; sent again with its id it has one effect.`,
    { cause: error },
  );
}
