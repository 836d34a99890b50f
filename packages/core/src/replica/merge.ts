// The merge of a replica, as pure functions over `{ confirmed, version, pending }`: each takes a
// message, a verdict or an edit and returns the next value. All I/O is in create-replica.ts.
//
// A rebase runs the pending operations again over commits that came in between:
//
//   confirmed   c1 ---- c2 ---- c3          c2, c3: commits of others, applied by their patches
//                 \               \
//   pending        e1              e1'      e1': the same operation, run again by the reducer
//                                   \
//   confirmed                        e2     e2: the commit of e1 arrives; the view stays the same
//
// Invariants:
// - `view` is the confirmed state with the pending operations applied in order. Those that the
//   reducer rejects are left out (law 9).
// - Commits apply by their patches, pending operations by the reducer.
// - An operation leaves `pending` in three cases only: its commit is in `confirmed`; its verdict
//   says that it has no commit; it was never sent and the reducer rejects it now.
// - Where nothing changed, the references stay the same.

import type { AnyDefinition } from "../definition/definition.ts";
import { type Actor, sameActor } from "../engine/actor.ts";
import type { Rejection } from "../engine/rejection.ts";
import { run } from "../engine/run.ts";
import type { Source } from "../engine/source.ts";
import { OpstateError } from "../error.ts";
import { equal } from "../json/equal.ts";
import type { Commit, Snapshot, Submission, Verdict } from "../thread/commit.ts";
import { confirm, confirmCommit, type Confirmed } from "../thread/confirmed.ts";
import { keyAgain } from "./provisional.ts";

/** A submission whose outcome this replica does not have yet. */
export interface Pending {
  readonly submission: Submission;
  /** When it was dispatched, ISO 8601 in UTC: its time until the authority stamps it. */
  readonly at: string;
  /** It may have reached the authority. */
  readonly sent: boolean;
  /** The authority accepted it at this version. The commit has not arrived yet. */
  readonly acceptedAt?: number;
  /** The operation as the reducer last accepted it. */
  readonly acceptedOperation?: unknown;
}

export interface Replicated {
  readonly confirmed: Confirmed;
  /** -1 before the first confirmed state. */
  readonly version: number;
  readonly pending: readonly Pending[];
  readonly view: unknown;
}

/** The definition, and what the ids of own operations are made from. */
export interface Side {
  readonly definition: AnyDefinition;
  /** Undefined until it is known: ids are provisional. */
  readonly actor: Actor | undefined;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch?: string | undefined;
}

/**
 * `advance`: the view is unchanged, or it is the confirmed state. `rebase`: pending operations were
 * run again. `reject`: the commits do not continue the confirmed version.
 */
export type Merged =
  | {
      readonly outcome: "advance" | "rebase";
      readonly next: Replicated;
      readonly commits: readonly Commit[];
      /** The commits of own submissions. */
      readonly ownCommits: readonly Commit[];
      /** Operations that were never sent and that the reducer rejects now. */
      readonly dropped: readonly Dropped[];
    }
  | { readonly outcome: "reject"; readonly why: "gap" | "mismatch" };

export interface Dropped {
  readonly submission: Submission;
  readonly rejection: Rejection;
}

/** `restored`: submissions that an earlier replica had pending. They may have been sent. */
export function startReplica(
  side: Side,
  snapshot: Snapshot | undefined,
  restored: readonly Pick<Pending, "submission" | "at">[] = [],
): Replicated {
  const { definition } = side;
  const confirmed =
    snapshot === undefined ? { state: definition.initial, isValid: true } : confirm(definition, snapshot.state);
  const pending = restored.map(({ submission, at }) => ({ submission, at, sent: true }));
  const start = { confirmed, version: snapshot?.version ?? -1, pending, view: confirmed.state };
  return rebase(side, start, start).next;
}

/**
 * Applies commits in order. Commits at or below the confirmed version are skipped. A gap is
 * rejected.
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
  const ownCommits = fresh.filter((commit) => {
    const entry = byId.get(commit.id);
    return entry !== undefined && confirmsPending(side.actor, entry, commit) && byId.delete(commit.id);
  });
  const pending = ownCommits.length === 0 ? current.pending : [...byId.values()];
  return { ...rebase(side, current, { confirmed, version, pending }), commits: fresh, ownCommits };
}

/**
 * Which snapshot replaces the confirmed state. `newer`: one of a higher version. `as new`: one of
 * the same version too, because the replica could not follow the commits. `any`: every one, because
 * it belongs to another thread than the state that is here.
 */
export type Expected = "newer" | "as new" | "any";

/**
 * Replaces the confirmed state by a snapshot, when it is as expected. With a snapshot of another
 * thread, submissions that the earlier thread accepted are no longer pending.
 */
export function mergeSnapshot(side: Side, current: Replicated, snapshot: Snapshot, expected: Expected): Merged {
  const { version } = snapshot;
  if (expected !== "any" && (version < current.version || (version === current.version && expected === "newer")))
    return { outcome: "advance", next: current, commits: [], ownCommits: [], dropped: [] };
  const confirmed = confirm(side.definition, snapshot.state);
  const pending =
    expected === "any" ? current.pending.filter(({ acceptedAt }) => acceptedAt === undefined) : current.pending;
  return { ...rebase(side, current, { confirmed, version, pending }), commits: [], ownCommits: [] };
}

/**
 * Applies the verdict on an own submission. An accepted one stays in the view until its version is
 * confirmed, so that nothing flickers.
 */
export function mergeVerdict(side: Side, current: Replicated, id: string, verdict: Verdict): Merged {
  const { confirmed, version } = current;
  if (verdict.accepted && verdict.version > version) {
    // The view has it already.
    const waiting = current.pending.map((entry) =>
      entry.submission.id === id ? { ...entry, acceptedAt: verdict.version } : entry,
    );
    return { outcome: "advance", next: { ...current, pending: waiting }, commits: [], ownCommits: [], dropped: [] };
  }
  const pending = current.pending.filter((entry) => entry.submission.id !== id);
  return { ...rebase(side, current, { confirmed, version, pending }), commits: [], ownCommits: [] };
}

/**
 * Adds an own submission, or returns the rejection that it would get now. Before the first
 * confirmed state it is added unchecked.
 */
export function submit(
  side: Side,
  current: Replicated,
  entry: Pick<Pending, "submission" | "at">,
): { readonly next: Replicated } | { readonly rejection: Rejection } {
  if (current.version < 0) return { next: { ...current, pending: [...current.pending, { ...entry, sent: false }] } };
  const step = transition(side, current.view, entry);
  if (!step.accepted) return { rejection: step.rejection };
  return {
    next: {
      ...current,
      pending: [...current.pending, { ...entry, sent: false, acceptedOperation: step.operation }],
      view: step.state,
    },
  };
}

/**
 * Runs the pending operations again as another side, which makes other ids: the actor was not known
 * before, or was another.
 */
export function mergeIdentity(side: Side, before: Side, current: Replicated): Merged {
  const { confirmed, version } = current;
  const pending = keyAgain(
    side.definition,
    confirmed.state,
    current.pending,
    (entry) => sourceOf(before, entry),
    (entry) => sourceOf(side, entry),
  );
  return { ...rebase(side, current, { confirmed, version, pending }), commits: [], ownCommits: [] };
}

/** Marks submissions as sent. From then on only the authority may refuse them. */
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
  const remaining = after.pending.filter(({ acceptedAt = Infinity }) => acceptedAt > after.version);
  if (after.version < 0)
    return { outcome: "advance", next: { ...after, pending: remaining, view: before.view }, dropped: [] };
  const kept: Pending[] = [];
  const dropped: Dropped[] = [];
  let view = after.confirmed.state;
  for (const entry of remaining) {
    const step = transition(side, view, entry);
    if (step.accepted) {
      view = step.state;
      kept.push(entry.acceptedOperation === undefined ? { ...entry, acceptedOperation: step.operation } : entry);
    } else if (entry.sent) kept.push(entry);
    else dropped.push({ submission: entry.submission, rejection: step.rejection });
  }
  // The old view came from the reducer, the new one from patches. Equal values keep the reference
  // that subscribers have, and later commits build on it.
  const same = equal(before.view, view, Infinity);
  const isConfirmed = same && kept.length === 0;
  const confirmed = isConfirmed ? { ...after.confirmed, state: before.view } : after.confirmed;
  const outcome = same || kept.length === 0 ? "advance" : "rebase";
  return { outcome, next: { ...after, confirmed, pending: kept, view: same ? before.view : view }, dropped };
}

function transition(side: Side, state: unknown, entry: Pick<Pending, "submission" | "at">) {
  const { definition, actor } = side;
  return run(definition.model, state, entry.submission.operation, { actor, source: sourceOf(side, entry) });
}

/** What the ids and the time of a pending operation come from. */
function sourceOf({ actor, branch }: Side, { submission: { id }, at }: Pick<Pending, "submission" | "at">): Source {
  return { actor, id, at, ...(branch === undefined ? {} : { branch }) };
}

/**
 * Whether a commit with the same id is the commit of a pending submission: an id belongs to one
 * actor. Where the actor is not known, an equal operation counts as the same actor's.
 */
function confirmsPending(actor: Actor | undefined, { acceptedOperation }: Pending, commit: Commit): boolean {
  if (actor !== undefined) return sameActor(actor, commit.actor);
  return equal(acceptedOperation, commit.operation, Infinity);
}
