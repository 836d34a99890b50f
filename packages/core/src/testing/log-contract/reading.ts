// The log contract of finding commits: by version in both orders, by run and actor of the author,
// by operation type. A plain filter is the oracle.

import { defined } from "../../defined.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import type { Commit } from "../../thread/commit.ts";
import { APPROVE, MERGE, PROPOSE } from "../../thread/entries.ts";
import type { Log, ReadRange } from "../../thread/log/log.ts";
import { expectEqual } from "../shared/contract.ts";
import type { LogCase } from "./log-contract.ts";
import { ada, commits, committed, newThread, robot } from "./samples.ts";

const ACTORS: readonly Actor[] = [ada, robot, { kind: "agent", id: "ada" }, { kind: "user:ada", id: "" }];
const RUNS = ["run", "run ", "RUN", "r\u00fcn", undefined];
const TYPES = ["move", PROPOSE, APPROVE, "Move", "mo", "%"];

/** Every combination of actor, run and type occurs, none of them evenly distributed. */
const MIXED = Array.from({ length: 60 }, (_, index) => {
  const runId = RUNS[(index * index) % RUNS.length];
  return committed(index + 1, `c${index + 1}`, ACTORS[(index >> 1) % ACTORS.length], {
    operation: { type: TYPES[(index * 5 + (index >> 3)) % TYPES.length] ?? "move" },
    ...defined({ runId }),
  });
});
const MIXED_COMMITS = MIXED.flatMap(({ commit }) => (commit === undefined ? [] : [commit]));

const FILTERS: readonly Pick<ReadRange, "runId" | "actor" | "types">[] = [
  {},
  ...RUNS.flatMap((runId) => (runId === undefined ? [] : [{ runId }])),
  ...ACTORS.map((actor) => ({ actor })),
  { runId: "nobody's" },
  { actor: { kind: "user", id: "robot" } },
  { types: ["move"] },
  { types: [PROPOSE, APPROVE] },
  { types: [APPROVE, "move", APPROVE, "unknown", PROPOSE] },
  { types: [] },
  { types: ["m%", "_ove"] },
  { runId: "run", actor: robot },
  { runId: "RUN", types: ["move", "mo"] },
  { actor: ada, types: ["Move", PROPOSE] },
  { runId: "run", actor: ada, types: ["move", APPROVE, "%"] },
];

const SPANS: readonly Pick<ReadRange, "after" | "before" | "limit">[] = [
  {},
  { after: 20 },
  { before: 41 },
  { after: 20, before: 41 },
  { after: 20, before: 21 },
  { after: 40, before: 20 },
  { after: 60 },
  { before: 1 },
  { before: 1_000 },
  { limit: 0 },
  { limit: 1 },
  { after: 7, limit: 5 },
  { before: 55, limit: 5 },
  { after: 7, before: 55, limit: 5 },
  { limit: 1_000 },
];

async function checkAllRanges(log: Log, stored: readonly Commit[], floor = 0): Promise<void> {
  for (const order of [undefined, "ascending", "descending"] as const) {
    for (const filter of FILTERS) {
      for (const span of SPANS) {
        const range: ReadRange = { ...filter, ...span, ...defined({ order }) };
        const found = await log.read("t", range);
        expectEqual(`read ${JSON.stringify(range)}`, versions(found), versions(expected(stored, range, floor)));
      }
    }
  }
}

/** The oracle: a filter over all commits. */
function expected(all: readonly Commit[], range: ReadRange, floor: number): readonly Commit[] {
  const { after = 0, before = Infinity, limit = Infinity, order, runId, actor } = range;
  const found = all.filter(
    (commit) =>
      commit.version > Math.max(after, floor) &&
      commit.version < before &&
      (runId === undefined || commit.runId === runId) &&
      (actor === undefined || sameActor(commit.actor, actor)) &&
      (range.types === undefined || range.types.includes(commit.operation.type)),
  );
  return (order === "descending" ? found.toReversed() : found).slice(0, limit);
}

function versions(found: readonly Commit[]): readonly number[] {
  return found.map(({ version }) => version);
}

/**
 * Commits that the robot proposed or made on branches and that Ada approved or merged, in runs of
 * both; and commits without an author.
 */
const DECIDED = [
  committed(1, "own", robot, { runId: "run" }),
  committed(2, "yes", ada, {
    runId: "ada's",
    operation: { type: APPROVE, proposer: robot, runId: "run", operation: { type: "add" } } as Commit["operation"],
  }),
  committed(3, "yes in no run", ada, {
    operation: { type: APPROVE, proposer: robot, runId: "run", operation: { type: "add" } } as Commit["operation"],
  }),
  committed(4, "merge", ada, {
    runId: "run",
    operation: { type: MERGE, author: robot, operation: { type: "add" } } as Commit["operation"],
  }),
  committed(5, "of an author without a run", ada, {
    operation: { type: APPROVE, proposer: robot, operation: { type: "add" } } as Commit["operation"],
  }),
  committed(6, "bare", ada, { runId: "ada's", operation: { type: APPROVE } }),
  committed(7, "of Ada's own", ada, {
    operation: { type: "add", proposer: robot, author: robot, runId: "run" } as Commit["operation"],
  }),
];

export const readingCases: Record<string, LogCase> = {
  async "finds approved and merged commits by their author and run, not by who approved or merged them"(
    log,
    { reopen },
  ) {
    await log.create(newThread("t"));
    // Enough commits, behind many others, that a log may have indexed only some of them.
    await log.append("t", 0, DECIDED);
    await log.append("t", 7, commits(8, 90));
    const later = DECIDED.map(({ receipt, commit }, index) => ({
      receipt: { ...receipt, id: `${receipt.id} again`, outcome: { accepted: true as const, version: 91 + index } },
      ...(commit === undefined ? {} : { commit: { ...commit, id: `${commit.id} again`, version: 91 + index } }),
    }));
    await log.append("t", 90, later);
    const both = (versions: readonly number[]) => [...versions, ...versions.map((version) => version + 90)];
    let here = log;
    for (const opened of [async () => log, reopen]) {
      here = await opened();
      const found = async (range: ReadRange) => versions(await here.read("t", range));
      expectEqual("by the author", await found({ actor: robot }), both([1, 2, 3, 4, 5]));
      expectEqual("by the author's run", await found({ runId: "run" }), both([1, 2, 3, 4]));
      expectEqual("by who approved", await found({ actor: ada, types: [APPROVE, MERGE] }), both([6]));
      expectEqual("by the run of the approval", await found({ runId: "ada's" }), both([6]));
      expectEqual("one's own", await found({ actor: ada, after: 90 }), [96, 97]);
      const [merge] = await here.read("t", { types: [MERGE], limit: 1 });
      expectEqual("the commit as it was", merge, DECIDED[3]?.commit);
    }
    await here.compact("t", { version: 92, state: { count: 92 }, definitionVersion: 1 });
    expectEqual("after a compaction", versions(await here.read("t", { runId: "run" })), [93, 94]);
  },

  async "finds commits by run, actor and type, between versions, in both orders"(log, { reopen }) {
    await log.create(newThread("t"));
    await log.create(newThread("other"));
    await log.append("other", 0, MIXED.slice(0, 30));
    await log.append("t", 0, MIXED.slice(0, 40));
    await log.append("t", 40, MIXED.slice(40));
    await checkAllRanges(log, MIXED_COMMITS);
    const again = await reopen();
    expectEqual(
      "whole commits",
      await again.read("t", { runId: "run", order: "descending" }),
      expected(MIXED_COMMITS, { runId: "run", order: "descending" }, 0),
    );
    expectEqual(
      "of another thread",
      versions(await again.read("other", { actor: robot })),
      versions(expected(MIXED_COMMITS.slice(0, 30), { actor: robot }, 0)),
    );
    expectEqual("of no thread", await again.read("nobody", { types: ["move"] }), []);
  },

  async "finds nothing at or below the floor, with any filter"(log, { reopen }) {
    await log.create(newThread("t"));
    await log.append("t", 0, MIXED);
    await log.compact("t", { version: 22, state: { count: 22 }, definitionVersion: 1 });
    await checkAllRanges(log, MIXED_COMMITS, 22);
    await checkAllRanges(await reopen(), MIXED_COMMITS, 22);
  },

  async "is read in pages, backwards and forwards, without a gap or a repeat"(log) {
    await log.create(newThread("t"));
    await log.append("t", 0, [...commits(1, 50), ...MIXED.slice(50)]);
    for (const filter of [{}, { actor: ada }, { types: ["add", "move"] }]) {
      const all = versions(await log.read("t", filter));
      const back: number[] = [];
      for (let before: number | undefined; ;) {
        const page = await log.read("t", {
          ...filter,
          ...defined({ before }),
          limit: 7,
          order: "descending",
        });
        back.push(...versions(page));
        before = page.at(-1)?.version;
        if (before === undefined) break;
        if (back.length > 60) throw new Error("reading backwards does not end");
      }
      expectEqual("backwards", back, all.toReversed());
      const forth: number[] = [];
      for (let after = 0, more = true; more && forth.length <= 60;) {
        const page = await log.read("t", { ...filter, after, limit: 7 });
        forth.push(...versions(page));
        more = page.length > 0;
        after = page.at(-1)?.version ?? after;
      }
      expectEqual("forwards", forth, all);
    }
  },
};
