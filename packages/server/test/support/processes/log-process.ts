// A process that uses a SQLite log and does not close it: it ends when nothing of the log is left
// to do. It prints what it was warned of.

import { sqliteLog } from "../../../src/sqlite/index.ts";
import { entry } from "../entries.ts";

const [path = "", last = ""] = process.argv.slice(2);
process.on("warning", ({ message }) => console.log(message));

const log = sqliteLog({ path });
const thread = log.thread("t", "of t");
await thread.create({ definition: "counter", definitionVersion: 1, state: { count: 0 }, at: "" });
log.watch("t", () => undefined);
const entries = Array.from({ length: 5_000 }, (_, index) => entry(index + 1));
await thread.append({ version: 0 }, entries);
if (last === "delete") await thread.delete();
else void thread.append({ version: 5_000 }, [entry(5_001)]);
