// A process of its own that writes to a SQLite log without a pause, and says what was acknowledged.

import { openThread } from "@opstate/core";
import { sqliteLog } from "@opstate/server/sqlite";
import { ada, list } from "./filled-log.ts";

const log = sqliteLog({ path: process.argv[2] ?? "" });
const threads = await Promise.all(["a", "b", "c"].map((threadId) => openThread({ definition: list, log, threadId })));
const over = new AbortController();
process.on("message", () => over.abort());
for (let number = 0; !over.signal.aborted; number += 1) {
  const verdicts = await Promise.all(
    threads.flatMap((thread) =>
      [0, 1, 2, 3].map((part) =>
        thread.dispatch({ type: "add", text: `${number} ${part}` }, { actor: ada, id: `${number} ${part}` }),
      ),
    ),
  );
  for (const [index, { version }] of verdicts.entries())
    process.send?.({ threadId: threads[Math.floor(index / 4)]?.threadId, id: `${number} ${index % 4}`, version });
  // Messages from outside have their turn.
  await new Promise((resolve) => setImmediate(resolve));
}
for (const thread of threads) await thread.close();
await log.close();
process.disconnect?.();
