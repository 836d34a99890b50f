// Traces a server on SQLite and checks that every acknowledgement came after the flush of its
// commit: node --conditions=@opstate/source tools/soaks/fsync-check.ts --count 1000
//
// Ends with status 1 when one did not. With --plant OFF or --plant NORMAL, SQLite does not flush
// each commit; the check must find that.

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { canTrace, checkFsync } from "../../packages/server/test/support/fsync/fsync-check.ts";

const { values } = parseArgs({ options: { count: { type: "string", default: "1000" }, plant: { type: "string" } } });
if (!canTrace()) {
  console.log("Not checked: strace is missing, or may not trace here.");
} else {
  if (values.plant !== undefined) process.env["OPSTATE_TEST_SYNCHRONOUS"] = values.plant;
  const preload = fileURLToPath(new URL("../../packages/server/test/support/fsync/no-sync.ts", import.meta.url));
  const orders = await checkFsync(Number(values.count), values.plant === undefined ? undefined : preload);
  console.log("Operations, by when the server first sent something about them:", orders);
  if (orders["after its flush"] !== Number(values.count)) process.exitCode = 1;
}
