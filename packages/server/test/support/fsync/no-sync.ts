// A planted bug, loaded before a server: SQLite gets `synchronous` from OPSTATE_TEST_SYNCHRONOUS
// instead of FULL.

import { DatabaseSync } from "node:sqlite";

const mode = process.env["OPSTATE_TEST_SYNCHRONOUS"] ?? "OFF";
const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  exec.call(this, sql.replace(/synchronous = FULL/, `synchronous = ${mode}`));
};
