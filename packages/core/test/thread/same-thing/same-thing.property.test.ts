// Law 10: what happened stays what happened. Random histories against the oracle of this folder.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLong, runs } from "../../../../../tools/runs.ts";
import { history } from "./history.ts";
import { World } from "./world.ts";

describe("an operation that is done again", () => {
  it("changes the things that it changed at first, or is named", async () => {
    const counts = new Map<string, number>();
    const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
    const numRuns = runs(300);
    await fc.assert(
      fc.asyncProperty(history, (steps) => new World(count).run(steps)),
      { numRuns, ...(isLong() ? {} : { seed: 10 }) },
    );
    console.log(
      [...counts]
        .sort()
        .map(([what, times]) => `${String(times).padStart(8)}  ${what}`)
        .join("\n"),
    );
    expect(counts.size).toBeGreaterThan(0);
  });
});
