// A process of its own that has a thread of a SQLite file open: it submits what it is told to, and
// says which version it has seen.

import { openThread } from "@opstate/core";
import { sqliteLog } from "../../../src/sqlite/index.ts";
import { board } from "../board.ts";

const [path = "", threadId = ""] = process.argv.slice(2);
const log = sqliteLog({ path });
const thread = await openThread({ definition: board, log, threadId });
thread.onCommit(({ version }) => process.send?.({ version }));
process.on("message", (message) => {
  if (message === "end") void end();
  else void thread.submit(message, { actor: { kind: "agent", id: "elsewhere" } });
});

async function end(): Promise<void> {
  await thread.close();
  await log.close();
  process.disconnect?.();
}

process.send?.({ version: thread.version });
