// Law 10: what happened stays what happened. Random histories against the oracle of this folder.
//
// What it judges by: claims.ts. Two ways of judging know nothing of each other: the ledger
// (line.ts) folds recorded effects, the walk (walk.ts) says what an undo must decide by the text.
// oracle.test.ts compares them with each other, and plants bugs. `tools/soaks/histories.ts` runs
// any number of others: here they are the same each time, since in one of some thousand the oracle
// itself is wrong (`benchmarks/RESULTS.md` says where).

import { describe, expect, it } from "vitest";
import { runs } from "../../../../../tools/runs.ts";
import { rare, report } from "./coverage.ts";
import { runHistories } from "./run-histories.ts";

describe("an operation that is done again", () => {
  it("changes the things that it changed at first, or is named", async () => {
    const counts = new Map<string, number>();
    const numRuns = runs(120, 3_000);
    const fault = await runHistories({ numRuns, counts, seed: 10 });
    console.log(report(counts));
    expect(fault ?? "none found").toBe("none found");
    expect(rare(counts, numRuns)).toEqual([]);
  });
});
