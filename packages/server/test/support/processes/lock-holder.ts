// A process of its own that holds the write lock of a SQLite file until it gets a message.

import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(process.argv[2] ?? "", { timeout: 5_000 });
database.exec("BEGIN IMMEDIATE");
process.send?.("locked");
process.on("message", () => {
  database.exec("COMMIT");
  database.close();
  process.disconnect?.();
});
