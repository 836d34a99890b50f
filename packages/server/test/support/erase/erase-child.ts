// Erases from a SQLite log in a process of its own, which ends without notice (kill -9) before its
// n-th statement on the file. It prints when the erasure was acknowledged, and how many statements
// there were.

import { writeSync } from "node:fs";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { openThread } from "@opstate/core";
import { sqliteLog } from "../../../src/sqlite/index.ts";
import { board } from "../board.ts";

const [path = "", what = "", point = ""] = process.argv.slice(2);
const last = Number(point);
const say = (line: string) => writeSync(1, `${line}\n`);

let isArmed = false;
let statements = 0;

/** Counts the calls of a method, and ends the process before the last one. */
function count(target: object, name: string): void {
  const method: (...args: unknown[]) => unknown = Reflect.get(target, name);
  Reflect.set(target, name, function (this: unknown, ...args: unknown[]) {
    if (isArmed) statements += 1;
    if (isArmed && statements === last) process.kill(process.pid, "SIGKILL");
    return method.apply(this, args);
  });
}

for (const name of ["run", "get", "all", "iterate"]) count(StatementSync.prototype, name);
count(DatabaseSync.prototype, "exec");

// Only statements of this thread are counted. How many there are does not depend on the time.
const log = sqliteLog({ path, worker: false, pollInterval: 600_000 });
const thread = await openThread({ definition: board, log, threadId: "launch" });
isArmed = true;
if (what === "redact")
  await thread.redact({ actor: { kind: "user", id: "ada" }, by: { kind: "system", id: "privacy" } });
else await log.thread("launch", thread.incarnation).delete();
say("acknowledged");
await thread.close().catch(() => undefined);
await log.close();
say(`statements ${statements}`);
