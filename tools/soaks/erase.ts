// Erases what a person wrote, and whole threads, in processes that are killed at some statement:
// node --conditions=@opstate/source tools/soaks/erase.ts --rounds 500 --seed 1
//
// Ends with status 1 when something is half done afterwards, cannot be done again, or was
// acknowledged and is still in a file.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { eraseRounds } from "../../packages/server/test/support/erase/erase-rounds.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "500" }, seed: { type: "string", default: "1" } },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const folder = mkdtempSync(join(tmpdir(), "opstate-erase-"));
try {
  for (const what of ["redact", "delete"] as const) {
    const report = await eraseRounds({
      folder,
      what,
      rounds,
      seed,
      onRound: (round) => {
        if (round % 50 === 0) console.log(`${what}: ${round} rounds`);
      },
    });
    console.log(`${what}, seed ${seed}: nothing half done, nothing left.`, report);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
