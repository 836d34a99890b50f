// The list of the tests of callbacks, and its page.

import { list } from "../../client/callbacks/list.ts";
import { servePage } from "./page-server.ts";

const [store = "", script = "", port = "0"] = process.argv.slice(2);
servePage({ definition: list, store, script, port });
