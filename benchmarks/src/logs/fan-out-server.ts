// A server in a process of its own, over the file that it is given: what subscribers of the fan-out
// read from. Says its address, and serves until its parent leaves.

import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { DEFINITIONS } from "../boards/rename-board.ts";

const [path = ""] = process.argv.slice(2);
const server = createServer({ definitions: DEFINITIONS, log: sqliteLog({ path }), insecure: true });
const { url } = await server.listen();
process.send?.(url);
process.on("disconnect", () => process.exit());
