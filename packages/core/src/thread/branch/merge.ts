// Merging one change of a branch: it is done again on the parent, as its author's, to the same
// things (see `again`).
//
// Invariants:
// - The author and the actor who merges must both be allowed to use the operation.
// - Where either of them needs approval for it, the merge is that approval only when an actor with
//   the right to approve merges what another one did. So a branch is no way around approval.
// - A change touches no other thing on the parent than on the branch.

import type { AnyDefinition } from "../../definition/definition.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { type Effect, isEmpty, type NamedState } from "../../engine/things/index.ts";
import { approved, permissionFault } from "../authority/approval.ts";
import { type Computed, type Head, refuse } from "../authority/computed.ts";
import { defined } from "../../defined.ts";
import { MERGE, type MergeOperation } from "../entries.ts";
import { withAllPermissions } from "../undo/all-permissions.ts";
import { quoted } from "../undo/dependents.ts";
import { again, type Found, type Outcome } from "../undo/again.ts";
import { leadsTo } from "../undo/leads-to.ts";
import { transitionTo, unchangedBy } from "../undo/transition.ts";
import { wouldDo } from "../undo/would.ts";
import type { Merged } from "../results.ts";
import type { Change } from "./changes.ts";
import type { Meeting } from "./meeting.ts";

export interface MergeRequest {
  readonly branch: string;
  readonly change: Change;
  readonly actor: Actor;
  /** Whether the actor has the right to approve. */
  readonly mayApprove: boolean;
}

/** What merging would do now. */
export async function computeMerge(
  definition: AnyDefinition,
  { branch, change, actor, mayApprove }: MergeRequest,
  head: Head,
  meeting: Meeting,
): Promise<Computed> {
  const { confirmed } = head;
  const { source, actor: author, commit } = change;
  const model = mayApprove && !sameActor(actor, author) ? approved(definition.model) : definition.model;
  const fault = permissionFault(model, change.operation, actor) ?? permissionFault(model, change.operation, author);
  if (fault !== undefined) return refuse(confirmed, fault);
  const { line, to } = await meeting.at(head);
  const recorded = line.effectOf(commit.version);
  if (recorded === undefined) return refuse(confirmed, undone(change));
  const loss = lossOf(change, recorded);
  if (loss !== undefined) return refuse(confirmed, loss);
  const outcome = mergeChange(definition, change, recorded, to);
  if (outcome.kind === "dependent")
    return refuse(confirmed, mergeRejection(definition, change, outcome.found, recorded, to));
  const operation: MergeOperation = {
    type: MERGE,
    branch,
    change: commit.version,
    author,
    source,
    operation: change.operation,
    ...(outcome.kind === "recomputed" ? { recomputed: true } : {}),
    ...(isCarried(definition, change, outcome, to) ? { carried: true } : {}),
  };
  const transition =
    outcome.kind === "nothing"
      ? unchangedBy(confirmed.state, operation)
      : transitionTo(definition, to, outcome.effect.after, operation);
  return { transition, records: false };
}

/**
 * Whether a change did here what it did on the branch, though its operation would do something else
 * here: the branch kept what was recorded of it, or its code changed since.
 */
function isCarried({ model }: AnyDefinition, change: Change, outcome: Outcome, to: NamedState): boolean {
  if (outcome.kind !== "recorded") return outcome.kind === "carried";
  return !leadsTo(withAllPermissions(model), change, to, outcome.effect.after);
}

/** What a change would do on a state of the parent. */
export function mergeChange({ model }: AnyDefinition, change: Change, recorded: Effect, to: NamedState): Outcome {
  return again(withAllPermissions(model), change, recorded, to);
}

/** Why a change cannot be merged. A refusal of the operation itself has its own words. */
export function mergeRejection(
  { model }: AnyDefinition,
  { commit }: Change,
  found: Found,
  recorded: Effect,
  to: NamedState,
): Rejection {
  if (found.how === "refused") return found.rejection;
  const isGone = "fault" in found && found.fault?.why === "gone";
  const why = wouldDo(model, found, recorded, to);
  const message = `Version ${commit.version} of the branch${quoted(commit)} ${why}${/[.!?]$/.test(why) ? "" : "."} ${
    isGone ? "Merge what it builds on first, or do it again on the parent." : "Do it again on the parent."
  }`;
  return rejection("conflict", MERGE, message, {
    reason: isGone ? "dependents" : "other_thing",
    details: { change: commit.version, ...defined({ sentence: commit.sentence }), would: why },
  });
}

/** The refusal of a change that lost all of its things: it is not done to other things instead. */
export function lossOf({ commit }: Change, recorded: Effect): Rejection | undefined {
  if (!isEmpty(recorded) || commit.patches.length === 0) return undefined;
  const message = `What version ${commit.version} of the branch changed was taken back there. Do it again on the parent.`;
  return rejection("conflict", MERGE, message, { reason: "dependents", details: { change: commit.version } });
}

function undone({ commit }: Change): Rejection {
  const message = `Version ${commit.version} of the branch was taken back there.`;
  return rejection("conflict", MERGE, message, { reason: "dependents" });
}

/** The reason of a merge whose id is not the one that it must have at the head. */
export const MERGED_MEANWHILE = "merged_meanwhile";

/** The caller did not know yet that the change is in the parent, or that it was undone. */
export function mergedMeanwhile(change: number): Rejection {
  const message = `Version ${change} of the branch was merged, or its merge taken back, meanwhile. Merge it again.`;
  return rejection("conflict", MERGE, message, { reason: MERGED_MEANWHILE, details: { change } });
}

/** What a merge gives for an id that is none of the branch. `version`: the parent's. */
export function unknownChange(id: string, branch: string, version: number): Merged {
  const message = `The diff of branch "${branch}" has no change "${id.slice(0, 100)}". Take the ids from the diff.`;
  const unknown = rejection("conflict", MERGE, message, { reason: "unknown_id", path: "/ids" });
  return { id, verdict: { accepted: false, version, rejection: unknown, attempt: 1 } };
}
