// Opens the file of a SQLite log, with its tables as this release has them.

import type { DatabaseSync } from "node:sqlite";
import { openFile } from "./database/open-file.ts";
import { prepareSchema } from "./schema.ts";

/** Until `PRAGMA busy_timeout = 0`, a lock blocks the thread. */
export function openDatabase(path: string, lockTimeout?: number): DatabaseSync {
  return openFile(path, lockTimeout, (database) => prepareSchema(database, path));
}
