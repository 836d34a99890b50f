// Random histories of law 10 against their oracle, as many as asked:
// node --conditions=@opstate/source tools/histories.ts --runs 100000 --seed 1
//
// They run in stretches of 1,000, each with a seed of its own, so that a failing one is found again
// by its stretch alone: `--runs 1000 --seed <that of the stretch>`. It is reported in its shortest
// form, told line by line, and ends the process with status 1.

import { parseArgs } from "node:util";
import { runHistories } from "../packages/core/test/thread/same-thing/run-histories.ts";
import { rare, report } from "../packages/core/test/thread/same-thing/coverage.ts";

const STRETCH = 1_000;
const { values } = parseArgs({
  options: { runs: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
});
const runs = Number(values.runs);
const first = Number(values.seed);
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(first))
  throw new RangeError("--runs is a number of histories, such as 100000; --seed a whole number.");
const start = performance.now();
const seconds = () => Math.round((performance.now() - start) / 1_000);
const counts = new Map<string, number>();

let done = 0;
let failed: string | undefined;
for (let seed = first; done < runs && failed === undefined; seed++) {
  const numRuns = Math.min(STRETCH, runs - done);
  failed = await runHistories({ seed, numRuns, counts });
  done += numRuns;
  if (failed !== undefined) console.error(`Seed ${seed}: ${failed}`);
  else if (done % 10_000 === 0) console.log(`${done} histories, ${seconds()} s`);
}
console.log(report(counts));
const missing = rare(counts, done);
if (failed === undefined && missing.length > 0) console.error(`Met too rarely:\n${missing.join("\n")}`);
if (failed !== undefined || missing.length > 0) process.exitCode = 1;
else console.log(`${done} histories, stretches of ${STRETCH} from seed ${first}: law 10 held. ${seconds()} s.`);
