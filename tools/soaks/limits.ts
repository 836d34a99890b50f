// Random valid requests at the limits of nearly every route, and others who write beside them:
// node --conditions=@opstate/source tools/soaks/limits.ts --seconds 600 --seed 1 --threads 40
//
// Ends with status 1 when an acknowledged operation is lost or happened twice, or when an answer is
// none that is documented. How long the others waited is said; on a busy machine that is what the
// machine did, so the server's longest turn is said in CPU time, too.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LimitsSoak } from "../../packages/server/test/support/limits/limits-soak.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    threads: { type: "string", default: "40" },
    senders: { type: "string", default: "4" },
  },
});
const [seconds, seed, threads, senders] = [values.seconds, values.seed, values.threads, values.senders].map(Number);
console.log(`--seed ${values.seed}`);
const folder = mkdtempSync(join(tmpdir(), "opstate-limits-"));
try {
  const soak = new LimitsSoak({
    path: join(folder, "log.sqlite"),
    seed: seed ?? 1,
    seconds: seconds ?? 600,
    threads: threads ?? 40,
    senders: senders ?? 4,
    onMinute({ requests, acknowledged, longestTurn, faults }) {
      console.log(`${requests} requests, ${acknowledged} acknowledged, turn ${longestTurn} ms`);
      for (const fault of faults.slice(0, 3)) console.log(fault);
    },
  });
  const { faults, ...report } = await soak.run();
  console.log(JSON.stringify(report, null, 2));
  for (const fault of faults.slice(0, 50)) console.error(fault);
  console.log(`seed ${values.seed}: ${faults.length} faults.`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
