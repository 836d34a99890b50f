import { expect, it } from "vitest";
import { describeFound } from "./found.ts";
import { searchInProcesses } from "./search-in-processes.ts";

/** `tools/simulate.ts` runs as many as it is told. */
const runs = Number(process.env["SIMULATION_RUNS"] ?? 50_000);

it(
  `${runs} runs of three replicas and an agent keep every law at every step, over lines, logs and processes that fail`,
  { timeout: runs * 20 + 60_000 },
  async () => {
    const found = await searchInProcesses({ first: 1, runs });
    expect(found === undefined ? "nothing found" : describeFound(found)).toBe("nothing found");
  },
);
