// Fills a file for one request, in a process of its own: the server's memory is its own then.

import { openThread } from "@opstate/core";
import { sqliteLog } from "@opstate/server/sqlite";
import { ledger } from "./ledger.ts";
import { heavy, OTHER } from "./requests.ts";

const [path = "", name = ""] = process.argv.slice(2);
const log = sqliteLog({ path });
const other = await openThread({ definition: ledger, log, threadId: OTHER });
await other.close();
await heavy[name]?.fill(log);
await log.close();
