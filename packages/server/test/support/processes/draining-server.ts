// A server in a process of its own that takes leave at SIGTERM, on a SQLite file. It has an agent
// "slow", which is done when a card "go" is on its board.

import { drainOnSignals, createServer } from "../../../src/index.ts";
import { sqliteLog } from "../../../src/sqlite/index.ts";
import { board } from "../board.ts";

const [path = "", options = "{}"] = process.argv.slice(2);
const log = sqliteLog({ path });
const server = createServer({
  definitions: [board],
  log,
  insecure: true,
  agents: {
    slow: {
      definition: "board",
      async *run({ thread }) {
        yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", role: "assistant", delta: "I wait." };
        const isGone = () => JSON.stringify(thread.getState()).includes('"go"');
        if (!isGone()) await new Promise<void>((resolve) => thread.onCommit(() => isGone() && resolve()));
        yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", delta: "I am done." };
      },
    },
  },
});
const { url } = await server.listen();
drainOnSignals(server, {
  ...(JSON.parse(options) as object),
  async onDrained(drained) {
    await log.close();
    process.send?.({ drained });
  },
});
process.send?.({ url });
