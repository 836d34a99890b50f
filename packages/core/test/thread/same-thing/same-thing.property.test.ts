// Law 10: what happened stays what happened. Random histories against the oracle of this folder.
//
// What it judges by: claims.ts. Two ways of judging know nothing of each other: the ledger
// (line.ts) folds recorded effects, the walk (walk.ts) says what an undo must decide by the text.
// oracle.test.ts holds them against each other, and plants bugs.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLong, runs } from "../../../../../tools/runs.ts";
import { rare, report } from "./coverage.ts";
import { history } from "./history.ts";
import { World } from "./world.ts";

describe("an operation that is done again", () => {
  it("changes the things that it changed at first, or is named", async () => {
    const counts = new Map<string, number>();
    const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
    const numRuns = runs(300);
    const property = fc.asyncProperty(history, (steps) => new World(count).run(steps));
    await fc.assert(property, { numRuns, ...(isLong() ? {} : { seed: 10 }) });
    console.log(report(counts));
    expect(rare(counts, numRuns)).toEqual([]);
  });
});
