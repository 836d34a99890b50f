// A server in a process of its own, on the given log and port. Tests kill it.

import { createServer } from "../../../src/index.ts";
import { openStore, type Store } from "../store.ts";
import { board } from "../board.ts";

const [store = "", port = "0"] = process.argv.slice(2);
const server = createServer({
  definitions: [board],
  log: openStore(JSON.parse(store) as Store),
  insecure: true,
  // The tests take the database away on purpose. Clients get the errors.
  onError: () => {},
});
const { url } = await server.listen({ port: Number(port) });
process.send?.(url);
