// The server of one row, in a process of its own. Says its address; to any message it answers with
// the longest turn since the last one and the memory that it had at most.

import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { ada, DEFINITIONS, eve } from "./ledger.ts";
import { meterTurns } from "./turn-meter.ts";

export interface Measured {
  /** Milliseconds of CPU time. */
  readonly turn: number;
  /** Bytes, the most since the process began. */
  readonly memory: number;
}

const [path = ""] = process.argv.slice(2);
const server = createServer({
  definitions: DEFINITIONS,
  log: sqliteLog({ path }),
  authorize: ({ headers }) =>
    headers.get("authorization") === "Bearer eve"
      ? { actor: eve, allows: () => false }
      : { actor: ada, allows: () => true },
  agents: { none: { run: async function* () {}, definition: "ledger" } },
  onError: () => undefined,
});
const { url } = await server.listen();
const turns = meterTurns();
process.on("message", () => {
  const measured: Measured = { turn: turns.take(), memory: process.resourceUsage().maxRSS * 1024 };
  process.send?.(measured);
});
process.on("disconnect", () => process.exit());
process.send?.(url);
