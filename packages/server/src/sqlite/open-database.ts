// Opens the file of a SQLite log so that an acknowledged write survives the process and the
// machine: WAL with synchronous=FULL.

import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OpstateError } from "@opstate/core";
import { prepareSchema } from "./schema.ts";

/**
 * Opening holds the process up as long as another one makes or changes the tables, but no longer
 * than this (in ms).
 */
const OPEN_TIMEOUT = 2_500;

// Small pages and rare checkpoints: a group over many threads touches two pages for each of them,
// the end of its versions and somewhere among its receipts, so the size of a page and the number of
// times it is copied back decide the bytes written.
const PRAGMAS =
  "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 16384; PRAGMA journal_size_limit = 67108864";

/** Until `PRAGMA busy_timeout = 0` a lock holds up the process, which nothing waits for yet. */
export function openDatabase(path: string, lockTimeout = OPEN_TIMEOUT): DatabaseSync {
  const database = openFile(path, Math.min(lockTimeout, OPEN_TIMEOUT));
  try {
    database.exec(PRAGMAS);
    prepareSchema(database, path);
  } catch (error) {
    database.close();
    if (error instanceof OpstateError) throw error;
    throw new OpstateError("log_unavailable", `"${path}" cannot be used as a SQLite log: ${reason(error)}.`, {
      cause: error,
    });
  }
  return database;
}

function openFile(path: string, timeout: number): DatabaseSync {
  try {
    if (path !== ":memory:") mkdirSync(dirname(resolve(path)), { recursive: true });
    return new DatabaseSync(path, { timeout });
  } catch (error) {
    throw new OpstateError(
      "log_unavailable",
      `The SQLite log "${path}" cannot be opened: ${reason(error)}. Give sqliteLog the path of a file in a directory that this process may write.`,
      { cause: error },
    );
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
