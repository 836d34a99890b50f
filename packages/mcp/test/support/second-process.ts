// A process of its own that has a thread of a SQLite file open and does what it is sent.

import { openThread } from "@opstate/core";
import { sqliteLog } from "@opstate/server/sqlite";
import { ada, board } from "./board.ts";

const [path = "", threadId = ""] = process.argv.slice(2);
const log = sqliteLog({ path });
const thread = await openThread({ definition: board, log, threadId });
process.on("message", (message) => {
  if (message === "end") void end();
  else void thread.submit(message, { actor: ada }).then(({ version }) => process.send?.({ version }));
});

async function end(): Promise<void> {
  await thread.close();
  await log.close();
  process.disconnect?.();
}

process.send?.({ version: thread.version });
