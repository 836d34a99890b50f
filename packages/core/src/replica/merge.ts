// The replica's arithmetic, pure: what a message, a verdict or an edit makes of `{ confirmed,
// version, pending }`. All I/O is in the shell.
//
// Invariants: `view` is the pending operations folded over the confirmed state, in order, those
// that do not hold left out (law 9); confirmed entries apply by their patches, pending ones by the
// reducer; an operation leaves `pending` only when its commit is in `confirmed`, when its verdict
// says that it has none, or when it never left and no longer holds. Nothing changed: same
// references.

import type { AnyDefinition } from "../definition/definition.ts";
import { type Actor, sameActor } from "../engine/actor.ts";
import type { Rejection } from "../engine/rejection.ts";
import { OpstateError } from "../error.ts";
import { equal } from "../patch/json.ts";
import type { Commit, Snapshot, Submission, Verdict } from "../thread/commit.ts";
import { confirm, confirmCommit, type Confirmed } from "../thread/confirmed.ts";

/** A submission that the authority has not settled as far as this replica can see. */
export interface Pending {
  readonly submission: Submission;
  /** It may have reached the authority. */
  readonly sent: boolean;
  /** The authority accepted it at this version, which is still to come. */
  readonly acceptedAt?: number;
  /** The operation as the reducer took it, when it last held. */
  readonly taken?: unknown;
}

export interface Replicated {
  readonly confirmed: Confirmed;
  /** -1 before the first confirmed state. */
  readonly version: number;
  readonly pending: readonly Pending[];
  readonly view: unknown;
}

/** Who folds: the definition, and the actor where it is known. */
export interface Side {
  readonly definition: AnyDefinition;
  readonly actor: Actor | undefined;
}

/**
 * `advance`: the view stays what it was, or is the confirmed state. `rebase`: pending operations
 * were run again. `reject`: the commits do not follow.
 */
export type Merged =
  | {
      readonly outcome: "advance" | "rebase";
      readonly next: Replicated;
      readonly commits: readonly Commit[];
      /** Own submissions whose commits came. */
      readonly settled: readonly Commit[];
      /** Never sent, and no longer legal. */
      readonly dropped: readonly Dropped[];
    }
  | { readonly outcome: "reject"; readonly why: "gap" | "mismatch" };

export interface Dropped {
  readonly submission: Submission;
  readonly rejection: Rejection;
}

/** `left`: what a replica before this one left pending. It may have been sent. */
export function startReplica(side: Side, snapshot: Snapshot | undefined, left: readonly Submission[] = []): Replicated {
  const { definition } = side;
  const confirmed =
    snapshot === undefined ? { state: definition.initial, isValid: true } : confirm(definition, snapshot.state);
  const pending = left.map((submission) => ({ submission, sent: true }));
  const start = { confirmed, version: snapshot?.version ?? -1, pending, view: confirmed.state };
  return rebase(side, start, start).next;
}

/**
 * Takes commits in: those already here are skipped, those that follow are applied, a gap is
 * refused.
 */
export function mergeCommits(side: Side, current: Replicated, commits: readonly Commit[]): Merged {
  const fresh = commits.filter(({ version }) => version > current.version);
  let { confirmed, version } = current;
  for (const commit of fresh) {
    if (commit.version !== version + 1) return { outcome: "reject", why: "gap" };
    try {
      confirmed = confirmCommit(side.definition, confirmed, commit);
    } catch (error) {
      if (error instanceof OpstateError) return { outcome: "reject", why: "mismatch" };
      throw error;
    }
    version = commit.version;
  }
  const byId = new Map(current.pending.map((entry) => [entry.submission.id, entry]));
  const settled = fresh.filter((commit) => {
    const entry = byId.get(commit.id);
    return entry !== undefined && confirmsPending(side.actor, entry, commit) && byId.delete(commit.id);
  });
  const pending = settled.length === 0 ? current.pending : [...byId.values()];
  return { ...rebase(side, current, { confirmed, version, pending }), commits: fresh, settled };
}

/**
 * Which snapshots are taken: a newer one; one as new, when the replica asked for it because it
 * could not follow; any, when it is of another thread than what is here.
 */
export type Expected = "newer" | "as new" | "any";

/**
 * Takes a snapshot in, when it is as expected. Of another thread: what the one before accepted is
 * gone with it.
 */
export function mergeSnapshot(side: Side, current: Replicated, snapshot: Snapshot, expected: Expected): Merged {
  const { version } = snapshot;
  if (expected !== "any" && (version < current.version || (version === current.version && expected === "newer")))
    return { outcome: "advance", next: current, commits: [], settled: [], dropped: [] };
  const confirmed = confirm(side.definition, snapshot.state);
  const pending =
    expected === "any" ? current.pending.filter(({ acceptedAt }) => acceptedAt === undefined) : current.pending;
  return { ...rebase(side, current, { confirmed, version, pending }), commits: [], settled: [] };
}

/**
 * Takes the verdict on an own submission in. One that is accepted stays in the view until its
 * version is confirmed: no flicker.
 */
export function mergeVerdict(side: Side, current: Replicated, id: string, verdict: Verdict): Merged {
  const { confirmed, version } = current;
  if (verdict.accepted && verdict.version > version) {
    // It is folded into the view already, and stays there.
    const waiting = current.pending.map((entry) =>
      entry.submission.id === id ? { ...entry, acceptedAt: verdict.version } : entry,
    );
    return { outcome: "advance", next: { ...current, pending: waiting }, commits: [], settled: [], dropped: [] };
  }
  const pending = current.pending.filter((entry) => entry.submission.id !== id);
  return { ...rebase(side, current, { confirmed, version, pending }), commits: [], settled: [] };
}

/**
 * Adds an own submission, or says why it would be refused now. Before the first confirmed state
 * nothing can be said.
 */
export function submit(
  side: Side,
  current: Replicated,
  submission: Submission,
): { readonly next: Replicated } | { readonly rejection: Rejection } {
  if (current.version < 0) return { next: { ...current, pending: [...current.pending, { submission, sent: false }] } };
  const step = transition(side, current.view, submission);
  if (!step.accepted) return { rejection: step.rejection };
  return {
    next: {
      ...current,
      pending: [...current.pending, { submission, sent: false, taken: step.operation }],
      view: step.state,
    },
  };
}

/** Marks submissions as sent: from now on only the authority may refuse them. */
export function markSent(current: Replicated, ids: ReadonlySet<string>): Replicated {
  return {
    ...current,
    pending: current.pending.map((entry) =>
      ids.has(entry.submission.id) && !entry.sent ? { ...entry, sent: true } : entry,
    ),
  };
}

function rebase(
  side: Side,
  before: Replicated,
  after: Omit<Replicated, "view">,
): { outcome: "advance" | "rebase"; next: Replicated; dropped: readonly Dropped[] } {
  const left = after.pending.filter(({ acceptedAt = Infinity }) => acceptedAt > after.version);
  if (after.version < 0)
    return { outcome: "advance", next: { ...after, pending: left, view: before.view }, dropped: [] };
  const kept: Pending[] = [];
  const dropped: Dropped[] = [];
  let view = after.confirmed.state;
  for (const entry of left) {
    const step = transition(side, view, entry.submission);
    if (step.accepted) {
      view = step.state;
      kept.push(entry.taken === undefined ? { ...entry, taken: step.operation } : entry);
    } else if (entry.sent) kept.push(entry);
    else dropped.push({ submission: entry.submission, rejection: step.rejection });
  }
  // The two come by different ways: what is equal stays the same to whoever watches, and what comes
  // next builds on it.
  const same = equal(before.view, view, Infinity);
  const settled = same && kept.length === 0;
  const confirmed = settled ? { ...after.confirmed, state: before.view } : after.confirmed;
  const outcome = same || kept.length === 0 ? "advance" : "rebase";
  return { outcome, next: { ...after, confirmed, pending: kept, view: same ? before.view : view }, dropped };
}

function transition({ definition, actor }: Side, state: unknown, { operation }: Submission) {
  return definition.transition(state, operation, actor === undefined ? {} : { actor });
}

/**
 * Of a commit with the same id: ids are an actor's own. Where the actor is not known, the same
 * operation counts as the same actor's.
 */
function confirmsPending(actor: Actor | undefined, { taken }: Pending, commit: Commit): boolean {
  if (actor !== undefined) return sameActor(actor, commit.actor);
  return equal(taken, commit.operation, Infinity);
}
