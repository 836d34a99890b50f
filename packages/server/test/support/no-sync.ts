// Loaded before a server: its SQLite does what OPSTATE_TEST_SYNCHRONOUS says instead of
// `synchronous = FULL`. A planted bug.

import { DatabaseSync } from "node:sqlite";

const mode = process.env["OPSTATE_TEST_SYNCHRONOUS"] ?? "OFF";
const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  exec.call(this, sql.replace(/synchronous = FULL/, `synchronous = ${mode}`));
};
