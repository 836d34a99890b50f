// Backups under load, each restored when the file is lost:
// node --conditions=@opstate/source tools/soaks/restore.ts --rounds 100 --seed 1
//
// Ends with status 1 when what was acknowledged before a backup is lost, or something happened
// twice.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { restoreRounds } from "../../packages/opstate/test/support/restore-rounds.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "100" }, seed: { type: "string", default: "1" } },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const folder = mkdtempSync(join(tmpdir(), "opstate-restore-"));
try {
  const report = await restoreRounds({
    folder,
    rounds,
    seed,
    onRound: (round, acknowledged) => {
      if (round % 10 === 0) console.log(`${round} rounds, ${acknowledged} acknowledged`);
    },
  });
  console.log(`${rounds} rounds, seed ${seed}: nothing lost, nothing twice.`, report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
