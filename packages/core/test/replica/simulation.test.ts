import fc from "fast-check";
import { describe, it } from "vitest";
import { plan, simulate } from "./simulation.ts";

const numRuns = Number(process.env["SIMULATION_RUNS"] ?? 300);

describe("two replicas and an agent on one thread, over lines that lose, repeat and reorder", () => {
  it("show pending over confirmed at every step, end alike, and every id has one effect", { timeout: numRuns * 100 + 10_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(plan, (steps) => simulate(steps)),
      { numRuns },
    );
  });
});
