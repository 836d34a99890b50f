// The simulation of replicas, an agent and two authorities, in its long form:
// node tools/soaks/simulate.ts --runs 1000000 --seed 1
//
// Every run has a seed. A failing run is reported with its seed and its shortest failing steps, and
// ends the process with status 1.

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { describeFound } from "../../packages/core/test/simulation/search/found.ts";
import { searchInProcesses } from "../../packages/core/test/simulation/search/search-in-processes.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: String(availableParallelism()) },
  },
});
const runs = Number(values.runs);
const first = Number(values.seed);
const start = performance.now();
const seconds = () => Math.round((performance.now() - start) / 1_000);

const found = await searchInProcesses({
  first,
  runs,
  processes: Number(values.processes),
  onProgress(done) {
    if (done % 10_000 === 0) console.log(`${done} runs, ${seconds()} s`);
  },
});
if (found === undefined)
  console.log(`${runs} runs, seeds ${first} to ${first + runs - 1}: every law holds. ${seconds()} s.`);
else {
  console.error(describeFound(found));
  process.exitCode = 1;
}
