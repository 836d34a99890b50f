// The simulation over many seeds, on all cores.

import { expect, it } from "vitest";
import { describeFound } from "./found.ts";
import { runs } from "../../../../tools/runs.ts";
import { searchInProcesses } from "./search-in-processes.ts";

/** `tools/simulate.ts` runs any number of them. */
const RUNS = runs(1_500, 50_000);

it(
  `${RUNS} runs of three replicas and an agent keep every law at every step, while lines, logs and processes fail`,
  { timeout: RUNS * 200 + 60_000 },
  async () => {
    const found = await searchInProcesses({ first: 1, runs: RUNS });
    expect(found === undefined ? "nothing found" : describeFound(found)).toBe("nothing found");
  },
);
