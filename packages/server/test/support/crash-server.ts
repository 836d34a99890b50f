// A server of its own process, on the SQLite file and port it is told: to be killed.

import { createServer } from "../../src/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { board } from "./board.ts";

const [path = "", port = "0"] = process.argv.slice(2);
const server = createServer({ definitions: [board], log: sqliteLog({ path }), insecure: true });
const { url } = await server.listen({ port: Number(port) });
process.send?.(url);
