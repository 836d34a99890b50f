// Run as a process: takes the write lock of a SQLite file and keeps it until it is told to let go.

import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(process.argv[2] ?? "");
database.exec("BEGIN IMMEDIATE");
process.send?.("locked");
process.on("message", () => {
  database.exec("COMMIT");
  database.close();
  process.disconnect?.();
});
