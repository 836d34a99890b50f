// The server of the steady soak, in a process of its own: a file, the quotas that every server has,
// and an agent. Says its address, then every second its memory.

import { createServer } from "../../../src/index.ts";
import { sqliteLog } from "../../../src/sqlite/index.ts";
import { tally } from "../limits/tally.ts";
import { authorize } from "../server.ts";

export interface Reading {
  /** Bytes of the process. */
  readonly memory: number;
  /** Bytes in use by its JavaScript, garbage included. */
  readonly heap: number;
  /** Milliseconds of CPU time since the start. */
  readonly cpu: number;
  /** What `onError` got since the reading before. */
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
  onError: (error) => errors.push(error instanceof Error ? `${error.message}\n${error.stack}` : String(error)),
});
const { url } = await server.listen();
process.send?.(url);

setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const reading: Reading = { memory: rss, heap: heapUsed, cpu: (user + system) / 1_000, errors };
  process.send?.(reading);
  errors = [];
}, 1_000);
process.on("disconnect", () => process.exit());
