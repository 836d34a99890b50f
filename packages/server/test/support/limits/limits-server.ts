// The server of the soak, in a process of its own: a file, and no quotas, which would refuse most
// of what the soak sends. Says its address, then every second its longest turn and its memory.

import { createServer } from "../../../src/index.ts";
import { sqliteLog } from "../../../src/sqlite/index.ts";
import { authorize } from "../server.ts";
import { tally } from "./tally.ts";

export interface Reading {
  /** Milliseconds of CPU time of the longest turn of the event loop. */
  readonly turn: number;
  /** Bytes. */
  readonly memory: number;
  /** What `onError` got. */
  readonly errors: readonly string[];
}

const robot = { kind: "agent", id: "robot" };
let errors: string[] = [];
const server = createServer({
  definitions: [tally],
  log: sqliteLog({ path: process.argv[2] ?? "" }),
  authorize,
  agents: {
    adder: {
      definition: "tally",
      async *run({ thread, input: { runId } }) {
        yield { type: "TEXT_MESSAGE_CHUNK", messageId: `${runId}-m`, role: "assistant", delta: "I add." };
        await thread.dispatch(tally.op.add({ title: runId }), { actor: robot, runId });
      },
    },
  },
  quotas: { decide: () => 0 },
  onError: (error) => errors.push(error instanceof Error ? `${error.message}\n${error.stack}` : String(error)),
});
const { url } = await server.listen();
process.send?.(url);

let longest = 0;
let before = threadTime();
function look(): void {
  const now = threadTime();
  longest = Math.max(longest, now - before);
  before = now;
  setImmediate(look);
}
setImmediate(look);
setInterval(() => {
  const reading: Reading = { turn: longest, memory: process.memoryUsage.rss(), errors };
  process.send?.(reading);
  longest = 0;
  errors = [];
}, 1_000);
process.on("disconnect", () => process.exit());

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
