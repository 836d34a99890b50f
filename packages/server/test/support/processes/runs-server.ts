// A server in a process of its own, whose runs are kept in a file beside its log.

import { sqliteStreams } from "@opstate/streams/sqlite";
import { createServer, streamRuns } from "../../../src/index.ts";
import { board } from "../board.ts";
import { openStore, type Store } from "../store.ts";
import { halfRun } from "./half-run.ts";

const [store = "", runs = "", port = "0"] = process.argv.slice(2);

const server = createServer({
  definitions: [board],
  log: openStore(JSON.parse(store) as Store),
  agents: {
    robot: { run: halfRun, definition: "board", continuable: true },
    other: { run: halfRun, definition: "board" },
  },
  runs: { store: streamRuns(sqliteStreams({ path: runs })) },
  insecure: true,
});
const { url } = await server.listen({ port: Number(port) });
process.send?.(url);
