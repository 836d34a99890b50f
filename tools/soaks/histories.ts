// Random histories of law 10 against their oracle, as many as you say:
// node --conditions=@opstate/source tools/soaks/histories.ts --runs 100000 --seed 1
//
// They run in stretches of 1,000, each with a seed of its own, and go on whatever is found. A fault
// is reported with the seed of its stretch, which finds it again:
// `--runs 1000 --seed <that of the stretch> --shortest` ends with the first fault of the stretch,
// in its shortest form, line by line. With a fault the process ends with status 1.

import { parseArgs } from "node:util";
import { rare, report } from "../../packages/core/test/thread/same-thing/coverage.ts";
import { runHistories } from "../../packages/core/test/thread/same-thing/run-histories.ts";

const STRETCH = 1_000;
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    shortest: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const first = Number(values.seed);
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(first))
  throw new RangeError("--runs is a number of histories, such as 100000; --seed a whole number.");
const start = performance.now();
const seconds = () => Math.round((performance.now() - start) / 1_000);
const counts = new Map<string, number>();
const faults: string[] = [];

let done = 0;
for (let seed = first; done < runs; seed++) {
  const numRuns = Math.min(STRETCH, runs - done);
  const onFault = ({ message }: Error): void => {
    faults.push(`seed ${seed}: ${message.split("\n", 1)[0]}`);
    console.error(faults.at(-1));
  };
  const shortest = await runHistories({ seed, numRuns, counts, ...(values.shortest ? {} : { onFault }) });
  done += numRuns;
  if (shortest !== undefined) {
    faults.push(shortest);
    console.error(shortest);
    break;
  }
  if (done % 10_000 === 0) console.log(`${done} histories, ${faults.length} faults, ${seconds()} s`);
}
console.log(report(counts));
const missing = rare(counts, done);
if (missing.length > 0) console.error(`Met too rarely:\n${missing.join("\n")}`);
console.log(
  `${done} histories in stretches of ${STRETCH} from seed ${first}, ${faults.length} faults. ${seconds()} s.`,
);
if (faults.length > 0 || missing.length > 0) process.exitCode = 1;
