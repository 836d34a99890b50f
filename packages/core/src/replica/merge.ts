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
// - An operation leaves `pending` only when its commit is in `confirmed`, when its verdict says
//   that it has no commit, when it was never sent and would be refused now, when another actor than
//   its own is connected, or when the thread that accepted it was replaced.
// - Where nothing changed, the references stay the same.
//
// (Long because it is a list: a function for each message, verdict and edit.)

import { type Actor, sameActor } from "../engine/actor.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import type { NamedState } from "../engine/things/index.ts";
import { confirm, confirmCommit, isSameOutcome, nameState, nameStep, originOf } from "@opstate/core/engine";
import { OpstateError } from "../error.ts";
import { equal } from "../json/equal.ts";
import type { Commit, Snapshot, Verdict } from "../thread/commit.ts";
import type { Confirmed } from "../thread/confirmed.ts";
import { withoutBasis } from "./basis.ts";
import {
  placeAfter,
  type Dropped,
  fold,
  isSameSide,
  leadingTo,
  type Pending,
  refusalOf,
  runPending,
  type Side,
  sourceOf,
} from "./pending.ts";
import { keyAgain } from "./provisional.ts";

export interface Replicated {
  readonly confirmed: Confirmed;
  /** -1 before the first confirmed state. */
  readonly version: number;
  readonly pending: readonly Pending[];
  readonly view: unknown;
  /**
   * The names of things in the confirmed state and in the view, from the first operation that is
   * held to its things until nothing is pending.
   */
  readonly names?: NamedState["names"] | undefined;
  readonly viewNames?: NamedState["names"] | undefined;
}

/**
 * `advance`: the view is unchanged, or it is the confirmed state. `rebase`: pending operations were
 * run again. `reject`: the commits do not continue the confirmed version.
 */
type Merged = Followed | { readonly outcome: "reject"; readonly why: "gap" | "mismatch" };

export interface Followed {
  readonly outcome: "advance" | "rebase";
  readonly next: Replicated;
  readonly commits: readonly Commit[];
  /** The commits of own submissions. */
  readonly ownCommits: readonly Commit[];
  /** Operations that were never sent and would not be accepted any more. */
  readonly dropped: readonly Dropped[];
}

/** `restored`: submissions that an earlier replica had pending. They may have been sent. */
export function startReplica(
  side: Side,
  snapshot: Snapshot | undefined,
  restored: readonly Pick<Pending, "submission" | "at" | "incarnation">[] = [],
): Replicated {
  const { definition } = side;
  const confirmed = confirm(definition, definition.initial);
  const start = { confirmed, version: -1, pending: [], view: confirmed.state };
  return mergeRestored(side, start, restored, snapshot).next;
}

/**
 * Applies commits in order. Commits at or below the confirmed version are skipped. A gap is
 * rejected.
 */
export function mergeCommits(side: Side, current: Replicated, commits: readonly Commit[]): Merged {
  const fresh = commits.filter(({ version }) => version > current.version);
  const ownCommits: Commit[] = [];
  let { confirmed, version, names, pending } = current;
  for (const commit of fresh) {
    if (commit.version !== version + 1) return { outcome: "reject", why: "gap" };
    const own = pending.find((entry) => confirmsPending(side.actor, entry, commit));
    const before = confirmed;
    const back = own && comeBack(side, confirmed, own, commit);
    try {
      confirmed = back?.confirmed ?? confirmCommit(side.definition, confirmed, commit);
    } catch (error) {
      if (error instanceof OpstateError) return { outcome: "reject", why: "mismatch" };
      throw error;
    }
    version = commit.version;
    if (names !== undefined)
      names = back?.names ?? namesAfter(side, { state: before.state, names }, confirmed.state, commit);
    if (own === undefined) continue;
    pending = pending.filter((entry) => entry !== own);
    ownCommits.push(commit);
  }
  return { ...rebase(side, current, { confirmed, version, pending, names }), commits: fresh, ownCommits };
}

/**
 * The state that a pending operation came to on the confirmed state, when its commit did the very
 * same there: later ones were run on that state already. Undefined when it did something else, or
 * was run on another state.
 */
function comeBack(
  { definition }: Side,
  { state, isValid }: Confirmed,
  { ran }: Pending,
  commit: Commit,
): { readonly confirmed: Confirmed; readonly names: NamedState["names"] | undefined } | undefined {
  if (ran?.step.accepted !== true || ran.on.state !== state || !isValid) return undefined;
  if (commit.definitionVersion !== definition.version || !isSameOutcome(state, ran.step, commit)) return undefined;
  return { confirmed: { state: ran.step.state, isValid }, names: ran.named?.after.names };
}

/** The names of things after a commit that was not run here. */
function namesAfter({ definition, branch }: Side, before: NamedState, state: unknown, commit: Commit) {
  const { source, operation } = originOf(commit, branch);
  return nameStep(definition.model, before, { state, patches: commit.patches, operation }, source).after.names;
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
export function mergeSnapshot(side: Side, current: Replicated, snapshot: Snapshot, expected: Expected): Followed {
  const { version } = snapshot;
  if (expected !== "any" && (version < current.version || (version === current.version && expected === "newer")))
    return keep(current);
  const confirmed = confirm(side.definition, snapshot.state);
  const pending = current.pending.flatMap((entry) => {
    // Names are not followed over a snapshot: the authority holds the operation to its things.
    const kept = { ...entry, mayBeConfirmed: entry.sent, meant: entry.meant instanceof Set ? undefined : entry.meant };
    if (expected !== "any") return [kept];
    return entry.acceptedAt === undefined ? [{ ...kept, submission: withoutBasis(entry.submission) }] : [];
  });
  return rebase(side, current, { confirmed, version, pending });
}

/**
 * Applies the verdict on an own submission. An accepted one stays in the view until its version is
 * confirmed, so that nothing flickers.
 */
export function mergeVerdict(side: Side, current: Replicated, id: string, verdict: Verdict): Followed {
  const isIts = ({ submission }: Pending) => submission.id === id;
  if (!verdict.accepted || verdict.version <= current.version) return mergeRefused(side, current, isIts);
  // The view has it already.
  const pending = current.pending.map((entry) => (isIts(entry) ? { ...entry, acceptedAt: verdict.version } : entry));
  return keep({ ...current, pending });
}

/** Takes out submissions that have their outcome, or will not be sent any more. */
export function mergeRefused(side: Side, current: Replicated, isOut: (entry: Pending) => boolean): Followed {
  return rebase(side, current, { ...current, pending: current.pending.filter((entry) => !isOut(entry)) });
}

/**
 * Adds an own submission, or returns the rejection that it would get now. Before the first
 * confirmed state nothing is refused: what the initial state accepts is in the view, the rest stays
 * pending.
 */
export function submit(
  side: Side,
  current: Replicated,
  entry: Pick<Pending, "submission" | "at">,
): { readonly next: Replicated } | { readonly rejection: Rejection } {
  const added: Pending = { ...entry, sent: false, meant: "next" };
  const { confirmed, version } = current;
  const names = current.names ?? nameState(undefined).names;
  const base = { state: confirmed.state, names, version };
  const named = current.names === undefined ? fold(side, base, current.pending) : undefined;
  const view = { state: current.view, names: named === undefined ? current.viewNames : named.view.names };
  const next = runPending(side, base, view, added);
  const why = refusalOf(next.ran);
  if (why !== undefined && version >= 0) return { rejection: why };
  const pending = [...(named?.pending ?? current.pending), next];
  if (why !== undefined) return { next: { ...current, names, pending, viewNames: view.names } };
  const { state, names: viewNames } = placeAfter(next.ran);
  return { next: { ...current, names, pending, view: state, viewNames } };
}

/**
 * Runs the pending operations again as another side, which makes other ids: the actor was not known
 * before, or was another.
 */
export function mergeIdentity(side: Side, before: Side, current: Replicated): Followed {
  if (isSameSide(side, before)) return keep(current);
  const { confirmed, version } = current;
  const pending = keyAgain(
    side.definition,
    confirmed.state,
    current.pending,
    (entry) => sourceOf(before, entry),
    (entry) => sourceOf(side, entry),
  ).map((entry): Pending => (entry.meant === undefined ? entry : { ...entry, meant: "next" }));
  return rebase(side, current, { confirmed, version, pending });
}

/**
 * Puts what was stored in its place: pending submissions before those that were made since, and
 * the snapshot below all of them, where nothing newer is there.
 */
export function mergeRestored(
  side: Side,
  current: Replicated,
  restored: readonly Pick<Pending, "submission" | "at" | "incarnation">[],
  snapshot: Snapshot | undefined,
): Followed {
  const all = { ...current, pending: [...restored.map(again), ...current.pending] };
  return snapshot === undefined ? rebase(side, current, all) : mergeSnapshot(side, all, snapshot, "newer");
}

/** A submission that an earlier replica had pending, and may have sent. */
const again = (entry: Pick<Pending, "submission" | "at" | "incarnation">): Pending => ({
  ...entry,
  sent: true,
  mayBeConfirmed: true,
});

/** Marks submissions as sent. From then on only the authority may refuse them. */
export function markSent(current: Replicated): Replicated {
  return { ...current, pending: current.pending.map((entry) => (entry.sent ? entry : { ...entry, sent: true })) };
}

/** Nothing is run again. */
function keep(next: Replicated): Followed {
  return { outcome: "advance", next, commits: [], ownCommits: [], dropped: [] };
}

function rebase(side: Side, before: Replicated, after: Omit<Replicated, "view">): Followed {
  const isConfirmed = ({ acceptedAt = Infinity }: Pending) => acceptedAt <= after.version;
  const remaining = after.pending.some(isConfirmed)
    ? after.pending.filter((entry) => !isConfirmed(entry))
    : after.pending;
  const begins = after.names === undefined && remaining.some(({ meant }) => meant === "next");
  const names = begins ? nameState(undefined).names : remaining.length === 0 ? undefined : after.names;
  const folded = fold(side, { state: after.confirmed.state, names, version: after.version }, remaining);
  const { dropped } = folded;
  const isSame = equal(before.view, folded.view.state);
  const outcome = isSame || folded.pending.length === 0 ? "advance" : "rebase";
  const { state: view, names: viewNames } = folded.view;
  const next = { ...after, names, pending: folded.pending, view, viewNames };
  const merged: Followed = { ...keep(next), outcome, dropped };
  if (!isSame || view === before.view) return merged;
  // The old view came from the reducer, the new one from patches. Equal values keep the reference
  // that subscribers have, and later commits and operations build on it.
  const { pending, changesState } = leadingTo(before.view, folded.pending);
  const confirmed = changesState ? after.confirmed : { ...after.confirmed, state: before.view };
  return { ...merged, next: { ...next, confirmed, pending, view: before.view } };
}

/**
 * Whether a commit with the same id is the commit of a pending submission: an id belongs to one
 * actor. Where the actor is not known, an equal operation counts as the same actor's.
 */
function confirmsPending(
  actor: Actor | undefined,
  { submission, acceptedOperation }: Pending,
  commit: Commit,
): boolean {
  if (submission.id !== commit.id) return false;
  return actor === undefined ? equal(acceptedOperation, commit.operation) : sameActor(actor, commit.actor);
}
