// A copy of a SQLite log, of one moment, while servers write to it.
//
// `VACUUM INTO` reads in one transaction, which in WAL mode holds up no writer. SQLite's own backup
// calls begin anew whenever another process writes: under load they would never end.
//
// Invariants:
// - The original is opened for reading only.
// - The copy has its name once it is whole and on the disk.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OpstateError } from "@opstate/core";

/** Returns the copy's size in bytes. Throws an OpstateError `log_unavailable` that says why. */
export function backUpSqlite(from: string, to: string): number {
  if (!existsSync(from)) throw new OpstateError("log_unavailable", `There is no file "${from}".`);
  if (existsSync(to))
    throw new OpstateError("log_unavailable", `"${to}" is there already. Give the copy another name, or remove it.`);
  const part = `${to}.part`;
  rmSync(part, { force: true });
  try {
    const database = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
    try {
      if (database.prepare("PRAGMA application_id").get()?.["application_id"] !== APPLICATION_ID)
        throw new OpstateError("log_unavailable", `"${from}" is not a SQLite log of opstate.`);
      database.prepare("VACUUM INTO ?").run(part);
    } finally {
      database.close();
    }
    flush(part);
    renameSync(part, to);
    flush(dirname(resolve(to)));
    return statSync(to).size;
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof OpstateError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OpstateError("log_unavailable", `"${from}" could not be copied to "${to}": ${reason}.`, { cause: error });
  }
}

/** That of `sqliteLog`. */
const APPLICATION_ID = 0x6f707374;

function flush(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}
