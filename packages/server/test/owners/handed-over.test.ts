// What an owner of before begins when the next one has asked what is under way there.

import { describe, expect, it } from "vitest";
import { keepLimits } from "../../src/runs/run-options.ts";
import { Runs } from "../../src/runs/runs.ts";

const limits = keepLimits();

/** The runs of a node that owned all threads last in that epoch. */
function runsOf(epoch: number): Runs {
  const nodes = {
    id: "this",
    departures: 0,
    epochOf: () => epoch,
    owns: async () => true,
    live: async () => new Set(["this"]),
  };
  return new Runs({ limits, nodes, onError: () => undefined });
}

describe("a run at an owner of before", () => {
  it("is not begun once the next owner has asked, and that of another thread is", async () => {
    const runs = runsOf(3);
    expect(() => runs.checkOwned("one")).not.toThrow();
    expect(await runs.areUnderWay({ threadId: "launch", incarnation: "one", epoch: 4 })).toBe(false);
    expect(() => runs.checkOwned("one")).toThrow(expect.objectContaining({ code: "not_owner" }));
    expect(() => runs.checkOwned("two")).not.toThrow();
    // A question that comes late says nothing newer.
    await runs.areUnderWay({ threadId: "launch", incarnation: "one", epoch: 2 });
    expect(() => runs.checkOwned("one")).toThrow(expect.objectContaining({ code: "not_owner" }));
  });

  it("is begun when it owns the thread again", async () => {
    const runs = runsOf(5);
    await runs.areUnderWay({ threadId: "launch", incarnation: "one", epoch: 4 });
    expect(() => runs.checkOwned("one")).not.toThrow();
  });
});
