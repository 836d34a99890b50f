// A server in a process of its own that is one of several. Tests stop, kill and drain it.

import { postgresStreams } from "@opstate/streams/postgres";
import { Pool } from "pg";
import { createServer, drainOnSignals, streamRuns } from "../../../src/index.ts";
import { board } from "../board.ts";
import { halfRun } from "../processes/half-run.ts";
import { openStore, type Store } from "../store.ts";
import { authorize } from "../server.ts";

interface Given {
  readonly store: Store;
  readonly port: number;
  readonly lease: number;
  readonly secret: string;
}

const { store, port, lease, secret } = JSON.parse(process.argv[2] ?? "") as Given;
const log = openStore(store);
/** All servers of one database share it. */
const runs =
  store.kind === "postgres"
    ? {
        store: streamRuns(
          postgresStreams({ pool: new Pool({ ...store.config, max: 2 }), schema: `${store.schema}_runs` }),
        ),
      }
    : {};
const server = createServer({
  definitions: [board],
  agents: { robot: { run: halfRun, definition: "board", continuable: true } },
  runs,
  log,
  authorize,
  node: { address: `http://127.0.0.1:${port}`, secrets: [secret], lease },
  // The tests take nodes and the database away on purpose. Clients get the errors.
  onError: () => {},
});
const { url } = await server.listen({ port });
drainOnSignals(server, { notice: 300, onDrained: () => log.close?.() });
process.send?.(url);
