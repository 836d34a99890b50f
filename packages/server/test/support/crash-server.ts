// A server of its own process, on the log and port it is told: to be killed.

import { createServer } from "../../src/index.ts";
import { openStore, type Store } from "./store.ts";
import { board } from "./board.ts";

const [store = "", port = "0"] = process.argv.slice(2);
const server = createServer({
  definitions: [board],
  log: openStore(JSON.parse(store) as Store),
  insecure: true,
  // A database that went away is part of the plan: those who asked are told.
  onError: () => {},
});
const { url } = await server.listen({ port: Number(port) });
process.send?.(url);
