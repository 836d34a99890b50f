// The simulation with replicas of the page's build, on authorities of the full engine.

import { expect, it } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { describeFound } from "../simulation/search/found.ts";
import { searchInProcesses } from "../simulation/search/search-in-processes.ts";

const RUNS = runs(200, 5_000);

it(`${RUNS} runs of replicas of the page's build keep every law`, { timeout: RUNS * 40 + 60_000 }, async () => {
  const found = await searchInProcesses({ first: 1, runs: RUNS, onPageBuild: true });
  expect(found === undefined ? "nothing found" : describeFound(found)).toBe("nothing found");
});
