// A process of its own that has a thread of a SQLite file open, and dispatches what it is told to.

import { openThread } from "@opstate/core";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { note } from "./board.ts";

const [path = "", threadId = ""] = process.argv.slice(2);
const log = sqliteLog({ path });
const thread = await openThread({ definition: note, log, threadId });
thread.onCommit(({ version }) => process.send?.({ saw: version }));
process.on("message", (operation) => {
  if (operation !== "end")
    return void thread
      .submit(operation, { actor: { kind: "agent", id: "elsewhere" } })
      .then((verdict) => process.send?.({ verdict }));
  return void thread.close().then(async () => {
    await log.close();
    process.disconnect?.();
  });
});
process.send?.("ready");
