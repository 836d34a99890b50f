// Proposing, approving, declining. A proposal and a decline are commits that change no state. An
// approval runs the operation again, as its proposer.
//
// Invariants:
// - A proposer does not approve their own proposal.
// - A proposal is decided once.
// - The proposer needs the permission to use the operation, and no approval.
// - An approval is valid only if what it changes is as the approver was shown it, or with `anyway`.
// - It changes no other things than those that were shown, also with `anyway` (law 10).
// - All of it is in the log.

import { defined } from "../../defined.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { run } from "../../engine/run.ts";
import { replacesWhole } from "../../engine/things/index.ts";
import type { Transition } from "../../engine/transition.ts";
import { approved, type Judge } from "../authority/approval.ts";
import { originOf, type Submitted } from "../origin.ts";
import type { Confirmed } from "../confirmed.ts";
import { type Computed, type Head, refuse } from "../authority/computed.ts";
import { isExpired } from "./expiry.ts";
import { APPROVE, type ApproveOperation, DECLINE, PROPOSE, type ProposeOperation } from "../entries.ts";
import { placesInWords, shownChange, tryProposal } from "./proposed-change.ts";
import type { ProposedThings } from "./same-things.ts";
import type { FoundProposal } from "./status.ts";

export interface DecisionRequest {
  readonly definition: AnyDefinition;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch: string | undefined;
  readonly actor: Actor;
  readonly at: string;
  /** Whether the actor has the right to approve. */
  readonly mayApprove: boolean;
  /** The id of the proposal's commit. */
  readonly proposal: string;
  /** Finds it among the open ones, or in the log. */
  readonly find: () => Promise<FoundProposal | undefined>;
  readonly things: ProposedThings;
}

/**
 * What proposing would do now. The operation must be valid, and its proposer must be allowed to use
 * it.
 * Its ids and its time are those of the proposal, now and when it is approved.
 */
export function computeProposal(
  definition: AnyDefinition,
  source: Submitted,
  { confirmed, version }: Head,
  { update, expiresAt }: { readonly update: unknown; readonly expiresAt: unknown },
): Computed {
  if (expiresAt !== undefined && (typeof expiresAt !== "string" || Number.isNaN(Date.parse(expiresAt))))
    return refuse(
      confirmed,
      rejection(
        "invalid_operation",
        PROPOSE,
        '"expiresAt" must be a time in ISO 8601, such as "2030-01-31T12:00:00Z".',
        {
          path: "/expiresAt",
        },
      ),
    );
  const model = approved(definition.model);
  const judge: Judge = (state) => run(model, state, update, { actor: source.actor, source });
  const next = judge(confirmed.state, update, source);
  if (!next.accepted) return refuse(confirmed, next.rejection);
  const operation: ProposeOperation = {
    type: PROPOSE,
    operation: next.operation,
    basedOn: version,
    ...shownChange(definition.model, confirmed.state, next.patches),
    ...defined({ expiresAt }),
  };
  return { ...commitWithoutPatches(confirmed, operation), proposed: { update, step: next, judge } };
}

/**
 * What approving would do now. `isSeen`: the approver said which version they looked at, and it is
 * this one.
 */
export async function computeApproval(
  decision: DecisionRequest,
  { confirmed, version }: Head,
  { anyway, isSeen }: { readonly anyway: boolean; readonly isSeen: boolean },
): Promise<Computed> {
  const { definition, branch, actor, at, proposal } = decision;
  if (!decision.mayApprove) return refuse(confirmed, notEntitled(APPROVE, actor));
  const found = await decision.find();
  if (found?.status !== "undecided") return refuse(confirmed, notOpen(APPROVE, proposal, found));
  const { commit } = found;
  const proposed = commit.operation;
  if (sameActor(commit.actor, actor))
    return refuse(
      confirmed,
      rejection("forbidden", APPROVE, "The proposer cannot approve their own proposal: another actor must approve it."),
    );
  if (isExpired(proposed, at))
    return refuse(
      confirmed,
      rejection("conflict", APPROVE, `The proposal expired at ${proposed.expiresAt}. Propose it again.`, {
        reason: "expired",
      }),
    );
  const tried = tryProposal(definition.model, confirmed.state, commit, branch);
  const { next } = tried;
  const notShown = await decision.things.notShown(commit, { version, state: confirmed.state }, next);
  const { things: others, placed } = notShown;
  const changed = [...new Set([...tried.changed, ...others, ...placed])];
  // An approval with `anyway` accepts the things as they are now, and still no other things. A
  // replacement is about everything: an approver who saw this version may approve it.
  const replacesSeen = isSeen && next.accepted && replacesWhole(next.operation);
  if (anyway && others.length > 0 && !replacesSeen) {
    const message = `The proposal would change something else than was shown: ${placesInWords(confirmed.state, others)}. Decline it, or propose what still holds.`;
    const details = { things: others, changed };
    return refuse(confirmed, rejection("conflict", APPROVE, message, { reason: "other_thing", details }));
  }
  // With `anyway`, an operation that is not valid at all is refused with its own reason.
  if (changed.length > 0 && !anyway) {
    const message = `What the proposal would change has changed since version ${proposed.basedOn}: ${placesInWords(confirmed.state, changed)}. Read it again, then approve it anyway, decline it, or propose what still holds.`;
    return refuse(confirmed, rejection("conflict", APPROVE, message, { reason: "changed", details: { changed } }));
  }
  if (!next.accepted) return refuse(confirmed, next.rejection);
  const operation: ApproveOperation = {
    type: APPROVE,
    proposal,
    proposedAt: commit.version,
    proposer: commit.actor,
    ...defined({ runId: commit.runId }),
    source: originOf(commit, branch).source,
    operation: next.operation,
    ...(changed.length > 0 ? { anyway: true } : {}),
  };
  return { transition: { ...next, operation }, records: true };
}

/**
 * What declining would do now: for those who may approve, and for the proposer, who takes it back.
 */
export async function computeDecline(
  decision: DecisionRequest,
  { confirmed }: Head,
  reason?: string,
): Promise<Computed> {
  const { actor, mayApprove, proposal } = decision;
  const found = await decision.find();
  if (found?.status !== "undecided") return refuse(confirmed, notOpen(DECLINE, proposal, found));
  const { commit } = found;
  if (!mayApprove && !sameActor(commit.actor, actor)) return refuse(confirmed, notEntitled(DECLINE, actor));
  const operation = {
    type: DECLINE,
    proposal,
    proposedAt: commit.version,
    ...defined({ reason }),
  };
  return commitWithoutPatches(confirmed, operation);
}

/** Why there is nothing to decide on. */
function notOpen(
  type: string,
  proposal: string,
  found: Exclude<FoundProposal, { readonly status: "undecided" }> | undefined,
): Rejection {
  if (found === undefined) {
    const message = `There is no proposal "${proposal}" here. The list of proposals has the ids of those that are open.`;
    return rejection("conflict", type, message, { reason: "unknown_id", path: "/proposal" });
  }
  if (found.status === "ambiguous") {
    // Ids are an actor's own: of two open proposals with one id, neither is guessed.
    const { versions } = found;
    const message = `Several actors proposed under the id "${proposal}". Add "proposedAt" to select one: ${versions.join(" or ")}.`;
    return rejection("conflict", type, message, { reason: "ambiguous", path: "/proposedAt", details: { versions } });
  }
  const { how, by, version, commit } = found;
  const message = `The proposal was ${how.replace("_", " ")} by the ${by.kind} "${by.id}" at version ${version}.`;
  return rejection("conflict", type, message, { reason: "decided", details: { version, by: commit.operation.type } });
}

function notEntitled(type: typeof APPROVE | typeof DECLINE, { kind, id }: Actor): Rejection {
  const what = type === APPROVE ? "approve proposals here" : "decline what others propose here";
  return rejection("forbidden", type, `The ${kind} "${id}" may not ${what}.`);
}

function commitWithoutPatches({ state }: Confirmed, operation: AnyOperation): Computed {
  const transition: Transition<unknown, AnyOperation> = {
    accepted: true,
    state,
    operation,
    patches: [],
    inverse: [],
  };
  return { transition, records: true };
}
