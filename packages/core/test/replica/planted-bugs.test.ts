// The simulation must see what it is there to see: each of these bugs, put in place of the real part, is caught.

import type { Log, Receipt } from "@opstate/core";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Parts, plan, simulate } from "./simulation.ts";

type Merge = typeof import("../../src/replica/merge.ts");
const mergePath = "../../src/replica/merge.ts";

async function withMerge(plant: (real: Merge) => Partial<Merge>): Promise<Partial<Parts>> {
  vi.resetModules();
  vi.doMock(mergePath, async (original) => {
    const real = await original<Merge>();
    return { ...real, ...plant(real) };
  });
  const { createReplica } = await import("../../src/replica/create-replica.ts");
  return { createReplica };
}

function withLog(log: (log: Log) => Log): Partial<Parts> {
  return { log };
}

/** Every id is a new one: what is sent twice is taken twice. */
function forgetful(log: Log): Log {
  let count = 0;
  const disguise = (receipt: Receipt): Receipt => ({ ...receipt, id: `${receipt.id} ${(count += 1)}` });
  return {
    ...log,
    receipt: async () => undefined,
    append: (threadId, version, entries) =>
      log.append(
        threadId,
        version,
        entries.map((entry) => ({ ...entry, receipt: disguise(entry.receipt) })),
      ),
  };
}

/** Says that it has stored before it has: what is in memory at a restart is gone. */
function hasty(log: Log): Log {
  return {
    ...log,
    async append(...call) {
      const result = await log.append(...call).catch(() => ({ status: "appended" as const }));
      return result;
    },
  };
}

const bugs: Record<string, () => Partial<Parts> | Promise<Partial<Parts>>> = {
  "pending operations are not run again on what others committed": () =>
    withMerge((real) => ({
      mergeCommits(side, current, commits) {
        const merged = real.mergeCommits(side, current, commits);
        if (merged.outcome === "reject" || merged.next.pending.length === 0) return merged;
        return { ...merged, next: { ...merged.next, view: current.view } };
      },
    })),
  "the verdict takes an operation out of the view before its commit is there": () =>
    withMerge((real) => ({
      mergeVerdict: (side, current, id, verdict) =>
        real.mergeVerdict(
          side,
          current,
          id,
          verdict.accepted ? { ...verdict, version: Math.min(verdict.version, current.version) } : verdict,
        ),
    })),
  "a rejected operation stays in the view": () =>
    withMerge((real) => ({
      mergeVerdict: (side, current, id, verdict) =>
        verdict.accepted
          ? real.mergeVerdict(side, current, id, verdict)
          : { outcome: "advance", next: current, commits: [], settled: [], dropped: [] },
    })),
  "own commits are not told apart: the operation is applied twice": () =>
    withMerge((real) => ({
      mergeCommits: (side, current, commits) => real.mergeCommits({ ...side, actor: { kind: "nobody", id: "" } }, current, commits),
    })),
  "a gap goes unnoticed": () =>
    withMerge((real) => ({
      mergeCommits: (side, current, commits) =>
        real.mergeCommits(
          side,
          current,
          commits.map((commit, index) => ({ ...commit, version: current.version + index + 1 })),
        ),
    })),
  "resumed one version too late": () =>
    withMerge((real) => ({
      mergeCommits: (side, current, commits) =>
        real.mergeCommits(side, { ...current, version: Math.max(current.version, (commits[0]?.version ?? 0) - 1) }, commits),
    })),
  "what was sent is not sent again": () =>
    withMerge((real) => ({
      markSent: (current, ids) => real.markSent({ ...current, pending: current.pending.filter(({ sent }) => !sent) }, ids),
    })),
  "a snapshot of another thread is taken for an old one": () =>
    withMerge((real) => ({
      mergeSnapshot: (side, current, snapshot, expected) =>
        real.mergeSnapshot(side, current, snapshot, expected === "any" ? "newer" : expected),
    })),
  "what a thread that is gone accepted is still waited for": () =>
    withMerge((real) => ({
      mergeSnapshot: (side, current, snapshot, expected) =>
        real.mergeSnapshot(side, expected === "any" ? { ...current, version: -1 } : current, snapshot, "newer"),
    })),
  "the log forgets ids": () => withLog(forgetful),
  "the log acknowledges before it has stored": () => withLog(hasty),
};

describe("the simulation catches a planted bug", () => {
  afterEach(() => vi.doUnmock(mergePath));

  for (const [name, plant] of Object.entries(bugs)) {
    it(name, { timeout: 60_000 }, async () => {
      const { createReplica } = await import("../../src/replica/create-replica.ts");
      const parts: Parts = { createReplica, log: (log) => log, ...(await plant()) };
      const found = await fc.check(
        fc.asyncProperty(plan, (steps) => simulate(steps, parts)),
        { numRuns: 1_000, endOnFailure: true },
      );
      expect(found.failed).toBe(true);
    });
  }
});
