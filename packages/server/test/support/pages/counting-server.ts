// A server whose code counts by the given step. Tests kill it, and start one that counts otherwise
// on the same file.

import { counterBy } from "./counter.ts";
import { servePage } from "./page-server.ts";

const [store = "", by = "1", script = "", port = "0"] = process.argv.slice(2);
servePage({ definition: counterBy(Number(by)), store, script, port });
