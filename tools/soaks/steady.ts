// A server under a steady load for an hour, with readers that come and go:
// node --conditions=@opstate/source tools/soaks/steady.ts --seed 1 --plot docs/assets/soak.svg
//
// Ends with status 1 after a fault, or when the server's memory at the end is more than a tenth
// above what it was after ten minutes.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { growth } from "../../packages/server/test/support/steady/growth.ts";
import { plot } from "../../packages/server/test/support/steady/plot.ts";
import { SteadySoak } from "../../packages/server/test/support/steady/steady-soak.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3600" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    threads: { type: "string", default: "50" },
    readers: { type: "string", default: "20" },
    rate: { type: "string", default: "200" },
    every: { type: "string", default: "60" },
    plot: { type: "string" },
  },
});
console.log(`--seed ${values.seed}`);
const folder = mkdtempSync(join(tmpdir(), "opstate-steady-"));
try {
  const soak = new SteadySoak({
    path: join(folder, "log.sqlite"),
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    threads: Number(values.threads),
    readers: Number(values.readers),
    rate: Number(values.rate),
    every: Number(values.every) * 1_000,
    onReport: (minute) => console.log(JSON.stringify(minute)),
  });
  const { minutes, faults } = await soak.run();
  for (const fault of faults.slice(0, 50)) console.error(fault);
  const grown = growth(minutes);
  if (values.plot !== undefined) writeFileSync(values.plot, plot(minutes));
  console.log(
    `seed ${values.seed}: ${faults.length} faults, memory ${grown === undefined ? "not judged" : `x${grown.toFixed(2)}`}.`,
  );
  if (faults.length > 0 || (grown !== undefined && grown > 1.1)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
