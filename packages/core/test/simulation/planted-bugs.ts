// Likely bugs, each put in place of the real part. The simulation must catch all of them.

import type { createReplica, Log, Verdict } from "@opstate/core";
import type { Receipt } from "@opstate/core/log";
import { isUndo } from "../../src/thread/entries.ts";
import { originOf } from "../../src/thread/origin.ts";
import { versionsIn } from "../../src/thread/version-ranges.ts";
import type { Parts } from "./parts.ts";

type BranchMerge = typeof import("../../src/thread/branch/merge.ts");
type Changes = typeof import("../../src/thread/branch/changes.ts");
type Merges = typeof import("../../src/thread/branch/merges.ts");
type Merge = typeof import("../../src/replica/merge.ts");
type Excluded = typeof import("../../src/thread/undo/excluded.ts");
type Entries = typeof import("../../src/thread/entries.ts");
type PendingFold = typeof import("../../src/replica/pending.ts");
type Things = typeof import("../../src/thread/things/submitted-things.ts");
type Steps = typeof import("../../src/thread/authority/step.ts");

/** A bug in the replica's arithmetic. */
export const mergeBugs: { readonly [name: string]: (real: Merge) => Partial<Merge> } = {
  "no rebase: pending operations are not applied again to what others committed": (real) => ({
    mergeCommits(side, current, commits) {
      const merged = real.mergeCommits(side, current, commits);
      if (merged.outcome === "reject" || merged.next.pending.length === 0) return merged;
      return { ...merged, next: { ...merged.next, view: current.view } };
    },
  }),
  "the verdict removes an operation from the view before its commit arrives": (real) => ({
    mergeVerdict: (side, current, id, verdict) =>
      real.mergeVerdict(
        side,
        current,
        id,
        verdict.accepted ? { ...verdict, version: Math.min(verdict.version, current.version) } : verdict,
      ),
  }),
  "a rejected operation stays in the view": (real) => ({
    mergeVerdict: (side, current, id, verdict) =>
      verdict.accepted
        ? real.mergeVerdict(side, current, id, verdict)
        : { outcome: "advance", next: current, commits: [], ownCommits: [], dropped: [] },
  }),
  "own commits are not recognised: the operation is applied twice": (real) => ({
    mergeCommits: (side, current, commits) =>
      real.mergeCommits({ ...side, actor: { kind: "nobody", id: "" } }, current, commits),
  }),
  "patches are applied to the view instead of the confirmed state": (real) => ({
    mergeCommits: (side, current, commits) =>
      real.mergeCommits(side, { ...current, confirmed: { state: current.view, isValid: true } }, commits),
  }),
  "a gap is not noticed": (real) => ({
    mergeCommits: (side, current, commits) =>
      real.mergeCommits(
        side,
        current,
        commits.map((commit, index) => ({ ...commit, version: current.version + index + 1 })),
      ),
  }),
  "off by one: resumes one version too late": (real) => ({
    mergeCommits: (side, current, commits) =>
      real.mergeCommits(
        side,
        { ...current, version: Math.max(current.version, (commits[0]?.version ?? 0) - 1) },
        commits,
      ),
  }),
  "off by one: the last confirmed commit is applied again": (real) => ({
    mergeCommits: (side, current, commits) =>
      commits[0]?.version === current.version
        ? real.mergeCommits(side, { ...current, version: current.version - 1 }, commits)
        : real.mergeCommits(side, current, commits),
  }),
  "submissions that were sent are not sent again": (real) => ({
    markSent: (current) => real.markSent({ ...current, pending: current.pending.filter(({ sent }) => !sent) }),
  }),
  "a snapshot of another thread is ignored as an older one": (real) => ({
    mergeSnapshot: (side, current, snapshot, expected) =>
      real.mergeSnapshot(side, current, snapshot, expected === "any" ? "newer" : expected),
  }),
  "a version of a deleted thread is still waited for": (real) => ({
    mergeSnapshot: (side, current, snapshot, expected) =>
      real.mergeSnapshot(side, expected === "any" ? { ...current, version: -1 } : current, snapshot, "newer"),
  }),
  "operations that an earlier page left pending count as never sent": (real) => ({
    startReplica: (side, snapshot, left) => {
      const start = real.startReplica(side, snapshot, left);
      return { ...start, pending: start.pending.map((entry) => ({ ...entry, sent: false })) };
    },
  }),
};

/** Bugs in how pending operations are folded. */
export const pendingBugs: { readonly [name: string]: (real: PendingFold) => Partial<PendingFold> } = {
  "a refused operation that was never sent stays pending": (real) => ({
    fold(side, base, pending) {
      const folded = real.fold(side, base, pending);
      const dropped = new Set(folded.dropped.map(({ submission }) => submission.id));
      const kept = pending.filter(({ submission }) => dropped.has(submission.id));
      return { ...folded, pending: [...folded.pending, ...kept] };
    },
  }),
  "what an operation came to on another state is used": (real) => ({
    fold: (side, base, pending) =>
      real.fold(
        side,
        base,
        pending.map((entry, index) =>
          index === 0 && entry.ran !== undefined ? { ...entry, ran: { ...entry.ran, on: base } } : entry,
        ),
      ),
  }),
};

type ThingsBugs = { readonly [name: string]: (real: Things) => Partial<Things> };

/** Bugs in the check of an operation against its things, on one of the two sides. */
export const thingsBugs: { readonly replica: ThingsBugs; readonly authority: ThingsBugs } = {
  replica: {
    "a rebased operation changes whatever is in the place": () => ({ isHeldToThings: () => false }),
  },
  authority: {
    "the authority changes whatever is in the place": () => ({ isHeldToThings: () => false }),
    "the authority reads the places of a submission as those of today": (real) => ({
      nameStep(model, before, step, source) {
        const { touched } = real.nameStep(model, before, step, source);
        return { after: { state: step.state, names: before.names }, touched };
      },
    }),
  },
};

/** Bugs in which commits an undo leaves out. */
export const undoBugs: { readonly [name: string]: (real: Excluded) => Partial<Excluded> } = {
  "an undo forgets what earlier ones left out": (real) => ({
    excluded: (commits, also) =>
      real.excluded(
        commits.filter(({ operation }) => !isUndo(operation)),
        also,
      ),
  }),
  "an undo that was undone still counts": (real) => ({
    excluded: (commits, also) =>
      new Set([
        ...real.excluded(commits, also),
        ...commits.flatMap(({ operation }) => (isUndo(operation) ? [...versionsIn(operation.versions)] : [])),
      ]),
  }),
};

/** Bugs in what a merge does. */
export const branchMergeBugs: { readonly [name: string]: (real: BranchMerge) => Partial<BranchMerge> } = {
  "a merge changes whatever is in the place": (real) => ({
    async computeMerge(definition, request, head, meeting) {
      const { operation, actor, source } = request.change;
      const next = definition.transition(head.confirmed.state, operation, { ...source, actor });
      const merge = { type: "$merge", branch: request.branch, change: request.change.commit.version };
      const as = { ...merge, author: actor, source, operation };
      return next.accepted
        ? { transition: { ...next, operation: as }, records: false }
        : real.computeMerge(definition, request, head, meeting);
    },
  }),
  "a merge does not say that it carried": (real) => ({
    async computeMerge(...call) {
      const { transition, records } = await real.computeMerge(...call);
      if (!transition.accepted) return { transition, records };
      const operation = Object.fromEntries(Object.entries(transition.operation).filter(([key]) => key !== "carried"));
      return {
        transition: { ...transition, operation: { ...transition.operation, ...operation, carried: false } },
        records,
      };
    },
  }),
};

/** Bugs in which changes a branch has, and which of them are merged. */
export const changesBugs: { readonly [name: string]: (real: Changes) => Partial<Changes> } = {
  "a decline on a branch is a change to merge": (real) => ({
    async changesOf(log, info) {
      const changes = await real.changesOf(log, info);
      const declines = await log.read(info.threadId, { types: ["$decline"] });
      const all = [...changes, ...declines.map((commit) => ({ commit, ...originOf(commit, info.incarnation) }))];
      return all.sort((a, b) => a.commit.version - b.commit.version);
    },
  }),
  "what was undone on a branch is merged": () => ({
    async changesOf(log, info) {
      const commits = await log.read(info.threadId, { after: 0 });
      const done = commits.filter(({ operation }) => !NOTES.has(operation.type));
      return done.map((commit) => ({ commit, ...originOf(commit, info.incarnation) }));
    },
  }),
};

export const mergesBugs: { readonly [name: string]: (real: Merges) => Partial<Merges> } = {
  "a change that was merged is merged again": (real) => {
    let count = 0;
    const unmerged = (incarnation: string, version: number) => ({
      id: `merge-${incarnation}-${version}-${(count += 1)}`,
      merged: undefined,
    });
    class Forgetful extends real.Merges {
      readonly #incarnation: string;

      constructor(of: ConstructorParameters<Merges["Merges"]>[0]) {
        super(of);
        this.#incarnation = of.branchIncarnation;
      }

      override async stateOf(change: number) {
        return unmerged(this.#incarnation, change);
      }

      override async statesOf(changes: readonly { readonly version: number }[]) {
        return changes.map(({ version }) => unmerged(this.#incarnation, version));
      }
    }
    return {
      Merges: Forgetful,
      mergeStates: async ({ branchIncarnation }, changes) =>
        changes.map(({ version }) => unmerged(branchIncarnation, version)),
    };
  },
};

const NOTES = new Set(["$undo", "$propose", "$decline"]);

/** Bugs in the list of open proposals. */
export const proposalBugs: { readonly [name: string]: (real: Entries) => Partial<Entries> } = {
  "a decided proposal is listed as open": () => ({
    isDecision: (operation): operation is never => operation === undefined,
  }),
};

/** Bugs in the authority's loop. */
export const stepBugs: { readonly [name: string]: (real: Steps) => Partial<Steps> } = {
  "a head that is announced while an authority catches up is forgotten": (real) => ({
    step: (loop, event) =>
      real.step(
        event.type === "read" && loop.stage.at === "following" ? { ...loop, announced: loop.stage.head } : loop,
        event,
      ),
  }),
};

/** Bugs in a log. */
export const logBugs: { readonly [name: string]: Parts["log"] } = {
  "no dedupe: the log forgets ids": () => {
    let count = 0;
    return (log) => disguised(log, () => (count += 1));
  },
  "dedupe is forgotten by compaction": () => {
    let compactions = 0;
    return (log) => ({
      ...disguised(log, () => compactions),
      async compact(...call) {
        compactions += 1;
        return log.compact(...call);
      },
    });
  },
  "acknowledgement before durable": () => (log) => ({
    ...log,
    append(...call) {
      const stored = log.append(...call);
      stored.catch(() => undefined);
      // A write that takes longer than a turn is acknowledged before it is stored.
      const early = new Promise<{ status: "appended" }>((resolve) =>
        process.nextTick(() => resolve({ status: "appended" })),
      );
      return Promise.race([stored, early]);
    },
  }),
  "a write that failed is acknowledged": () => (log) => ({
    ...log,
    append: (...call) => log.append(...call).catch(() => ({ status: "appended" as const })),
  }),
  "no fence by incarnation: a write for a deleted thread goes to the next one with its name": () => (log) => ({
    ...log,
    append: (threadId, version, entries) => log.append(threadId, version, entries),
  }),
  "no fence: a writer that is behind can write": () => (log) => ({
    ...log,
    async append(threadId, _, entries) {
      const head = (await log.info(threadId))?.version ?? 0;
      let version = head;
      const moved = entries.map((entry) =>
        entry.commit === undefined ? entry : { ...entry, commit: { ...entry.commit, version: (version += 1) } },
      );
      return log.append(threadId, head, moved);
    },
  }),
};

/** A replica that ignores what the one before it left pending. */
export function forgetsPending(real: typeof createReplica): typeof createReplica {
  return (options) => {
    const left = new Set(options.pending?.map(({ id }) => id));
    const replica = real({ ...options, pending: [] });
    return {
      ...replica,
      dispatch: (update, given) =>
        given?.id !== undefined && left.has(given.id)
          ? new Promise<Verdict<never>>(() => undefined)
          : replica.dispatch(update, given),
    };
  };
}

/** Receipts are stored with names that change with `era`: those of an earlier era are not found. */
function disguised(log: Log, era: () => number): Log {
  const bare = (receipt: Receipt): Receipt => ({ ...receipt, id: receipt.id.replace(/@\d+$/, "") });
  return {
    ...log,
    async receipt(threadId, actor, id) {
      const receipt = await log.receipt(threadId, actor, `${id}@${era()}`);
      return receipt && bare(receipt);
    },
    async append(threadId, version, entries) {
      const result = await log.append(
        threadId,
        version,
        entries.map((entry) => ({ ...entry, receipt: { ...entry.receipt, id: `${entry.receipt.id}@${era()}` } })),
      );
      return result.status === "duplicate" ? { ...result, receipt: bare(result.receipt) } : result;
    },
  };
}
