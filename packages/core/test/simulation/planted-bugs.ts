// Bugs that somebody could make, each put in place of the real part. What the simulation does not
// catch of these, it is not there for.

import type { createReplica, Log, Verdict } from "@opstate/core";
import type { Receipt } from "@opstate/core/log";
import { isUndo } from "../../src/thread/entries.ts";
import { versionsIn } from "../../src/thread/version-ranges.ts";
import type { Parts } from "./parts.ts";

type Merge = typeof import("../../src/replica/merge.ts");
type Excluded = typeof import("../../src/thread/undo/excluded.ts");
type Entries = typeof import("../../src/thread/entries.ts");
type Announced = typeof import("../../src/thread/authority/announced.ts");

/** A bug in the replica's arithmetic. */
export const mergeBugs: { readonly [name: string]: (real: Merge) => Partial<Merge> } = {
  "no rebase: pending operations are not run again on what others committed": (real) => ({
    mergeCommits(side, current, commits) {
      const merged = real.mergeCommits(side, current, commits);
      if (merged.outcome === "reject" || merged.next.pending.length === 0) return merged;
      return { ...merged, next: { ...merged.next, view: current.view } };
    },
  }),
  "the verdict takes an operation out of the view before its commit is there": (real) => ({
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
  "own commits are not told apart: the operation is applied twice": (real) => ({
    mergeCommits: (side, current, commits) =>
      real.mergeCommits({ ...side, actor: { kind: "nobody", id: "" } }, current, commits),
  }),
  "patches are replayed on the wrong base: the view instead of the confirmed state": (real) => ({
    mergeCommits: (side, current, commits) =>
      real.mergeCommits(side, { ...current, confirmed: { state: current.view, isValid: true } }, commits),
  }),
  "a gap goes unnoticed": (real) => ({
    mergeCommits: (side, current, commits) =>
      real.mergeCommits(
        side,
        current,
        commits.map((commit, index) => ({ ...commit, version: current.version + index + 1 })),
      ),
  }),
  "off by one: resumed one version too late": (real) => ({
    mergeCommits: (side, current, commits) =>
      real.mergeCommits(
        side,
        { ...current, version: Math.max(current.version, (commits[0]?.version ?? 0) - 1) },
        commits,
      ),
  }),
  "off by one: the commit that is already there is applied again": (real) => ({
    mergeCommits: (side, current, commits) =>
      commits[0]?.version === current.version
        ? real.mergeCommits(side, { ...current, version: current.version - 1 }, commits)
        : real.mergeCommits(side, current, commits),
  }),
  "what was sent is not sent again": (real) => ({
    markSent: (current, ids) =>
      real.markSent({ ...current, pending: current.pending.filter(({ sent }) => !sent) }, ids),
  }),
  "a snapshot of another thread is taken for an old one": (real) => ({
    mergeSnapshot: (side, current, snapshot, expected) =>
      real.mergeSnapshot(side, current, snapshot, expected === "any" ? "newer" : expected),
  }),
  "what a thread that is gone accepted is still waited for": (real) => ({
    mergeSnapshot: (side, current, snapshot, expected) =>
      real.mergeSnapshot(side, expected === "any" ? { ...current, version: -1 } : current, snapshot, "newer"),
  }),
  "what an earlier page left pending counts as never sent": (real) => ({
    startReplica: (side, snapshot, left) => {
      const start = real.startReplica(side, snapshot, left);
      return { ...start, pending: start.pending.map((entry) => ({ ...entry, sent: false })) };
    },
  }),
};

/** Bugs in what an undo leaves out. */
export const undoBugs: { readonly [name: string]: (real: Excluded) => Partial<Excluded> } = {
  "an undo forgets what earlier ones took back": (real) => ({
    excluded: (commits, also) =>
      real.excluded(
        commits.filter(({ operation }) => !isUndo(operation)),
        also,
      ),
  }),
  "an undo that was taken back still counts": (real) => ({
    excluded: (commits, also) =>
      new Set([
        ...real.excluded(commits, also),
        ...commits.flatMap(({ operation }) => (isUndo(operation) ? [...versionsIn(operation.versions)] : [])),
      ]),
  }),
};

/** Bugs in what is known of proposals. */
export const proposalBugs: { readonly [name: string]: (real: Entries) => Partial<Entries> } = {
  "a proposal that was decided is open": () => ({
    isDecision: (operation): operation is never => operation === undefined,
  }),
};

/** Bugs in following another writer. */
export const announcedBugs: { readonly [name: string]: (real: Announced) => Partial<Announced> } = {
  "a head that is announced while an authority catches up is forgotten": (real) => ({
    Announced: class extends real.Announced {
      override markRead(): void {
        super.markRead(Infinity);
      }
    },
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
      // A write that takes longer than a turn is acknowledged on credit.
      const credit = new Promise<{ status: "appended" }>((resolve) =>
        process.nextTick(() => resolve({ status: "appended" })),
      );
      return Promise.race([stored, credit]);
    },
  }),
  "a write that failed is acknowledged": () => (log) => ({
    ...log,
    append: (...call) => log.append(...call).catch(() => ({ status: "appended" as const })),
  }),
  "no fence by incarnation: what was meant for a thread that is gone goes to the next one of its name":
    () => (log) => ({
      ...log,
      append: (threadId, version, entries) => log.append(threadId, version, entries),
    }),
  "no fence: a writer that is behind writes all the same": () => (log) => ({
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

/** A replica that is made without what the one before it left. */
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

/**
 * Receipts are kept under names that change with `era`: what was noted in an earlier one is not
 * found.
 */
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
