// One of the servers of the rounds, in a process of its own. Everyone is who they say they are.

import { createServer, drainOnSignals } from "../../src/index.ts";
import { openStore, type Store } from "../support/store.ts";
import { chain } from "./chain-definition.ts";

export interface NodeGiven {
  readonly address: string;
  readonly secret: string;
  /** Milliseconds. */
  readonly lease: number;
}

const [store = "", given = "", port = ""] = process.argv.slice(2);
const { address, secret, lease } = JSON.parse(given) as NodeGiven;
const log = openStore(JSON.parse(store) as Store);
const server = createServer({
  definitions: [chain],
  log,
  authorize: (request) => ({
    actor: { kind: "user", id: request.headers.get("authorization") ?? "" },
    allows: () => true,
  }),
  node: { address, secrets: [secret], lease },
  // Nodes and the database are taken away on purpose. Clients get the errors.
  onError: (error) => void (process.env["OPSTATE_ROUND_ERRORS"] === "1" && console.error(error)),
});
const { url } = await server.listen({ port: Number(port) });
drainOnSignals(server, { notice: 100, onDrained: () => log.close?.() });
process.send?.(url);
