// A server of opstate in a process of its own, whose thread many follow. Says its address, and what
// it took when it is asked.

import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { DEFINITIONS } from "../boards/rename-board.ts";
import { answerWithUse } from "./use.ts";

const [path = ""] = process.argv.slice(2);
const server = createServer({ definitions: DEFINITIONS, log: sqliteLog({ path }), insecure: true });
const { url } = await server.listen();
answerWithUse();
process.send?.(url);
process.on("disconnect", () => process.exit());
