// A log on a SQLite database that one process alone has, by whatever means: the entry
// `@opstate/server/sql`. `sqliteLog` is for a file that `node:sqlite` opens.
//
// Invariants:
// - The head's version fences writers: see database/sql-store.ts.
// - A write is one transaction. When its promise resolves, it is as durable as `transaction` makes
//   it.

import type { WatchedLog } from "@opstate/core/log";
import { checkCall } from "@opstate/core/log/storage";
import { Heads } from "./database/heads.ts";
import type { SqlDatabase } from "./database/sql-database.ts";
import { sqlStore } from "./database/sql-store.ts";
import { applyStep, STEPS } from "./schema-steps.ts";
import { storeLog } from "./store-log.ts";
import { WatchedHeads } from "./watched-heads.ts";

export type { SqlChange, SqlDatabase, SqlStatement, SqlValue } from "./database/sql-database.ts";

/** One append is written in one turn. */
const APPEND_LIMITS = { entries: 10_000, bytes: 16 * 2 ** 20 };

export interface SqlLogOptions {
  readonly database: SqlDatabase;
  /** Runs what writes: all of it or, when it throws, nothing. It rethrows the error. */
  transaction<T>(write: () => T): T;
  /** How errors call the log. */
  readonly name: string;
  /** How many refusals are kept per thread and actor, the newest ones. Default 1,000. */
  readonly refusalsPerActor?: number;
}

/**
 * A log in the tables of a SQLite database, which it makes where they are not. The database is of
 * this log alone; the caller closes it.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 * import { sqlLog } from "@opstate/server/sql";
 *
 * const database = new DatabaseSync(":memory:");
 * const log = sqlLog({
 *   name: "threads in memory",
 *   database,
 *   transaction(write) {
 *     database.exec("BEGIN IMMEDIATE");
 *     try {
 *       const written = write();
 *       database.exec("COMMIT");
 *       return written;
 *     } catch (error) {
 *       database.exec("ROLLBACK");
 *       throw error;
 *     }
 *   },
 * });
 * await log.info("launch"); // undefined
 * ```
 */
export function sqlLog({ database, transaction, name, refusalsPerActor = 1_000 }: SqlLogOptions): WatchedLog {
  transaction(() => prepareTables(database));
  const heads = new WatchedHeads();
  const store = sqlStore({
    database,
    name,
    refusalsPerActor,
    writer: {
      async write(write, call) {
        checkCall(call);
        return transaction(write);
      },
      close: async () => undefined,
    },
    eraser: { soon: () => undefined },
    heads: (headOf) => new Heads({ headOf, onHead: (threadId, head) => heads.moved(threadId, head) }),
    read: async (call, query) => {
      checkCall(call);
      return query();
    },
    // No other process writes, and a query is done within one turn.
    readConsistently: async (call, query) => {
      checkCall(call);
      return query();
    },
    close: () => undefined,
  });
  return storeLog(store, heads, APPEND_LIMITS);
}

/** How many steps were applied is a row: not every host of SQLite allows `PRAGMA user_version`. */
function prepareTables(database: SqlDatabase): void {
  database.exec("CREATE TABLE IF NOT EXISTS applied_steps (count INTEGER NOT NULL) STRICT");
  const applied = Number(database.prepare("SELECT count FROM applied_steps").get()?.["count"] ?? 0);
  for (const step of STEPS.slice(applied)) applyStep(database, step);
  if (applied === 0) database.prepare("INSERT INTO applied_steps (count) VALUES (?)").run(STEPS.length);
  else if (applied < STEPS.length) database.prepare("UPDATE applied_steps SET count = ?").run(STEPS.length);
}
