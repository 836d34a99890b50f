// Pages of runs that several servers have.

import { describe, expect, it } from "vitest";
import { type ListedRun, placeOf, runsAfter } from "../../src/ag-ui/list-of-runs.ts";

const run = (second: number): ListedRun => ({
  runId: `r${second}`,
  agent: "robot",
  actor: { kind: "user", id: "ada" },
  status: "finished",
  detached: true,
  startedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  events: 1,
  steps: 0,
  calls: 0,
  continuable: false,
});

const runs = (...seconds: readonly number[]) => seconds.map(run);
const seconds = (infos: readonly ListedRun[]) => infos.map(({ runId }) => Number(runId.slice(1)));

/** What a server answers that has these: as many as fit. */
const pageOf = (all: readonly ListedRun[], after: string, size: number) => {
  const { infos } = runsAfter(after, all, []);
  return { infos: infos.slice(0, size), isPart: infos.length > size };
};

describe("a page of the runs of several servers", () => {
  it("ends where another server's page ends, for that may have others in between", () => {
    const page = runsAfter("", runs(1, 2, 5, 6), [{ infos: runs(2, 3, 4), isPart: true }]);
    expect(seconds(page.infos)).toEqual([1, 2, 3, 4]);
    expect(page.isPart).toBe(true);
    const last = runsAfter(placeOf(run(4)), runs(1, 2, 5, 6), [{ infos: runs(7), isPart: false }]);
    expect(seconds(last.infos)).toEqual([5, 6, 7]);
    expect(last.isPart).toBe(false);
  });

  it("leaves out no run and gives none twice, whatever each has and however much fits", () => {
    for (const [here, second, third] of [
      [runs(1, 4, 7, 10), runs(2, 4, 5, 8), runs(3, 6, 9)],
      [runs(), runs(1, 2, 3, 4, 5, 6), runs(6, 7, 8)],
      [runs(8, 9), runs(1, 2, 3), runs(4, 5, 6, 7)],
    ] as const)
      for (const size of [1, 2, 3, 10]) {
        const found: number[] = [];
        for (let after = "", isPart = true; isPart;) {
          const page = runsAfter(after, here, [pageOf(second, after, size), pageOf(third, after, size)]);
          const infos = page.infos.slice(0, size);
          isPart = page.isPart || page.infos.length > size;
          found.push(...seconds(infos));
          after = infos.length > 0 ? placeOf(infos.at(-1) ?? run(0)) : after;
        }
        const all = new Set(seconds([...here, ...second, ...third]));
        expect(found).toEqual([...all].toSorted((a, b) => a - b));
      }
  });
});
