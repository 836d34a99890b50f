// The tables of a SQLite log, created and migrated when the file is opened.
//
// Invariants:
// - `PRAGMA user_version` counts the applied steps.
// - `PRAGMA application_id` marks the file as ours. The database of another program is never
//   written.

import type { DatabaseSync } from "node:sqlite";
import { OpstateError } from "@opstate/core";
import { applyStep, STEPS } from "./schema-steps.ts";

/** "opst" in ASCII. */
const APPLICATION_ID = 0x6f707374;

/**
 * Creates the tables in an empty database, applies the missing steps to an older one, and refuses
 * what it does not know.
 */
export function prepareSchema(database: DatabaseSync, path: string): void {
  // The usual case needs no lock, so that a log can be opened while another process writes.
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
        `The SQLite database "${path}" belongs to another program. Give sqliteLog a file of its own.`,
      );
    }
    if (version > STEPS.length) {
      throw new OpstateError(
        "log_unavailable",
        `The log "${path}" has schema version ${version}; this release of @opstate/server knows versions up to ${STEPS.length}. Open it with the release that wrote it, or a newer one. To go back to this release, restore what was saved before the upgrade, or let the newer one export the log and restore that into an empty log: npx opstate log export, npx opstate log restore.`,
      );
    }
    for (const step of STEPS.slice(version)) applyStep(database, step);
    if (version < STEPS.length)
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
