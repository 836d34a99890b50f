// Opens the file of a SQLite log with WAL and synchronous=FULL, so that an acknowledged write
// survives a crash of the process or the machine.

import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isOpstateError, logError } from "@opstate/core/log/storage";

/**
 * Milliseconds. Opening blocks its thread while another process creates or changes the tables, but
 * not longer than this.
 */
const OPEN_TIMEOUT = 2_500;

// Small pages and rare checkpoints. A group over many threads touches two pages per thread: the end
// of its versions, and one among its receipts. So the page size and the number of checkpoints
// decide how many bytes are written.
//
// `secure_delete` overwrites deleted rows with zeros.
const PRAGMAS =
  "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 16384; PRAGMA journal_size_limit = 67108864";

/**
 * The file as it is, with no tables made. `prepare`: what has to be right with it too. Until
 * `PRAGMA busy_timeout = 0`, a lock blocks the thread.
 */
export function openFile(
  path: string,
  lockTimeout: number = OPEN_TIMEOUT,
  prepare: (database: DatabaseSync) => void = () => {},
): DatabaseSync {
  const database = open(path, Math.min(lockTimeout, OPEN_TIMEOUT));
  try {
    database.exec(PRAGMAS);
    prepare(database);
  } catch (error) {
    database.close();
    if (isOpstateError(error)) throw error;
    throw logError("log_unavailable", `"${path}" cannot be used as a SQLite log: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  return database;
}

function open(path: string, timeout: number): DatabaseSync {
  try {
    if (path !== ":memory:") mkdirSync(dirname(resolve(path)), { recursive: true });
    return new DatabaseSync(path, { timeout });
  } catch (error) {
    throw logError(
      "log_unavailable",
      `The SQLite log "${path}" cannot be opened: ${reasonOf(error)}. Give sqliteLog the path of a file in a directory that this process may write.`,
      { cause: error },
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
