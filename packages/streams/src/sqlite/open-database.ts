// Opens the file of SQLite streams with WAL and synchronous=FULL, so that an acknowledged write
// survives a crash of the process or the machine.
//
// Invariants:
// - `PRAGMA user_version` counts the applied steps of the schema.
// - `PRAGMA application_id` marks the file as ours. The database of another program is never
//   written.

import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OpstateError } from "@opstate/core";

/** "opss" in ASCII. */
const APPLICATION_ID = 0x6f707373;

/** Step n migrates schema version n to n + 1. A released step never changes. */
const STEPS = [
  `
  CREATE TABLE streams (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE,
    incarnation TEXT NOT NULL,
    content_type TEXT NOT NULL,
    tail INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    closed_by TEXT,
    ttl INTEGER,
    expires_at INTEGER,
    seq TEXT,
    owner TEXT,
    source TEXT,
    source_key INTEGER,
    inherited TEXT,
    forks INTEGER NOT NULL,
    gone INTEGER NOT NULL,
    producers INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX streams_by_owner ON streams (owner) WHERE gone = 0;
  CREATE INDEX streams_by_expiry ON streams (expires_at) WHERE gone = 0;
  CREATE INDEX streams_dead ON streams (key) WHERE id IS NULL;
  CREATE TABLE records (
    sequence INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    position INTEGER NOT NULL,
    until INTEGER NOT NULL,
    append_until INTEGER NOT NULL,
    size INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX records_by_end ON records (stream, until, position, size);
  CREATE TABLE producers (
    stream INTEGER NOT NULL,
    id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (stream, id)
  ) STRICT, WITHOUT ROWID;
  `,
];

const PRAGMAS =
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 67108864";
/** Milliseconds. Opening blocks the process while another one creates the tables, but no longer. */
const OPEN_TIMEOUT = 2_500;

export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (path !== ":memory:") mkdirSync(dirname(resolve(path)), { recursive: true });
    database = new DatabaseSync(path, { timeout: OPEN_TIMEOUT });
    prepareSchema(database, path);
    database.exec(PRAGMAS);
    // From here on timers wait for a lock. SQLite's own wait would block the event loop.
    database.exec("PRAGMA busy_timeout = 0");
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof OpstateError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OpstateError(
      "log_unavailable",
      `"${path}" cannot be used for SQLite streams: ${reason}. Give sqliteStreams the path of a file in a directory that this process may write.`,
      { cause: error },
    );
  }
}

function prepareSchema(database: DatabaseSync, path: string): void {
  // The usual case needs no lock.
  if (pragma(database, "application_id") === APPLICATION_ID && pragma(database, "user_version") === STEPS.length)
    return;
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = pragma(database, "user_version");
    const owner = pragma(database, "application_id");
    const tables = Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"]);
    if (owner !== APPLICATION_ID && (owner !== 0 || version !== 0 || tables > 0)) {
      throw new OpstateError(
        "log_unavailable",
        `The SQLite database "${path}" belongs to another program. Give sqliteStreams a file of its own.`,
      );
    }
    if (version > STEPS.length) {
      throw new OpstateError(
        "log_unavailable",
        `The streams in "${path}" have schema version ${version}; this release of @opstate/streams knows versions up to ${STEPS.length}. Open them with the release that wrote them, or a newer one.`,
      );
    }
    for (const step of STEPS.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${STEPS.length}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
