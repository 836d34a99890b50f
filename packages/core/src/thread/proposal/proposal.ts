// Proposals: an operation that waits for somebody's yes. Proposing and declining are commits that
// change no state; approving runs the operation again, as its proposer, if what it changes is still
// as it was, or if whoever approves it says "anyway".
//
// Invariants: nobody approves what he proposed; a proposal is decided once; what was proposed needs
// the proposer's permission, but not the approval that it waits for. All of it is in the log.

import type { AnyDefinition } from "../../definition/definition.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import { rejection } from "../../engine/reject.ts";
import type { Rejection } from "../../engine/rejection.ts";
import { run } from "../../engine/run.ts";
import type { Transition } from "../../engine/transition.ts";
import { approved } from "../authority/approval.ts";
import type { Commit } from "../commit.ts";
import type { Confirmed } from "../confirmed.ts";
import { type Computed, type Head, refuse } from "../authority/computed.ts";
import { isExpired } from "./expiry.ts";
import { APPROVE, type ApproveOperation, DECLINE, isPropose, PROPOSE, type ProposeOperation } from "../entries.ts";
import { shownChange, tryProposal } from "./proposed-change.ts";

interface DecisionRequest {
  readonly definition: AnyDefinition;
  readonly actor: Actor;
  readonly at: string;
  /** Whether the actor has the right to approve. */
  readonly may: boolean;
  /**
   * The commit's id of the proposal; where two actors used one id, `proposedAt` says which is
   * meant.
   */
  readonly proposal: string;
  readonly proposedAt: number | undefined;
  /** The proposals that nobody decided. */
  readonly undecided: readonly Commit[];
  /**
   * Whether it may be carried out although what it changes was changed: an approver's explicit
   * decision.
   */
  readonly anyway?: boolean | undefined;
  /** Why a proposal is not open: asked for when it is not. */
  readonly whyNot: (type: string) => Promise<Rejection>;
}

/**
 * What proposing would do now: the operation must be one that its proposer may use and that holds.
 */
export function computeProposal(
  definition: AnyDefinition,
  actor: Actor,
  { confirmed, version }: Head,
  asked: unknown,
): Computed {
  const { operation: update, expiresAt }: { operation?: unknown; expiresAt?: unknown } = { ...(asked as object) };
  if (expiresAt !== undefined && (typeof expiresAt !== "string" || Number.isNaN(Date.parse(expiresAt))))
    return refuse(
      confirmed,
      rejection("invalid_operation", PROPOSE, '"expiresAt" is a time in ISO 8601, such as "2030-01-31T12:00:00Z".', {
        path: "/expiresAt",
      }),
    );
  const next = run(approved(definition.model), confirmed.state, update, actor);
  if (!next.accepted) return refuse(confirmed, next.rejection);
  const operation: ProposeOperation = {
    type: PROPOSE,
    operation: next.operation,
    basedOn: version,
    ...shownChange(definition.model, confirmed.state, next.patches),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return note(confirmed, operation);
}

/** What approving would do now. */
export async function computeApproval(decision: DecisionRequest, { confirmed }: Head): Promise<Computed> {
  const { definition, actor, at, proposal } = decision;
  if (!decision.may) return refuse(confirmed, unentitled(APPROVE, actor));
  const found = await findOpen(decision, APPROVE);
  if ("rejection" in found) return refuse(confirmed, found.rejection);
  const { commit, proposed } = found;
  if (sameActor(commit.actor, actor))
    return refuse(
      confirmed,
      rejection("forbidden", APPROVE, "Nobody approves what he proposed himself. Somebody else must."),
    );
  if (isExpired(proposed, at))
    return refuse(
      confirmed,
      rejection("conflict", APPROVE, `The proposal expired at ${proposed.expiresAt}. Propose it again.`, {
        reason: "expired",
      }),
    );
  const { next, changed } = tryProposal(definition.model, confirmed.state, commit, proposed);
  // Where it does not hold at all, an approver who says "anyway" learns why.
  if (changed.length > 0 && decision.anyway !== true) {
    const message = `What the proposal would change was changed since version ${proposed.basedOn}: ${changed.slice(0, 5).join(", ")}. Look at it again, then approve it anyway, decline it, or propose what still holds.`;
    return refuse(confirmed, rejection("conflict", APPROVE, message, { reason: "changed", details: { changed } }));
  }
  if (!next.accepted) return refuse(confirmed, next.rejection);
  const operation: ApproveOperation = {
    type: APPROVE,
    proposal,
    proposedAt: commit.version,
    proposer: commit.actor,
    ...(commit.runId === undefined ? {} : { runId: commit.runId }),
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
  const { actor, may, proposal } = decision;
  const found = await findOpen(decision, DECLINE);
  if ("rejection" in found) return refuse(confirmed, found.rejection);
  const { commit } = found;
  if (!may && !sameActor(commit.actor, actor)) return refuse(confirmed, unentitled(DECLINE, actor));
  const operation = {
    type: DECLINE,
    proposal,
    proposedAt: commit.version,
    ...(reason === undefined ? {} : { reason }),
  };
  return note(confirmed, operation);
}

/**
 * The open proposal that is meant. Ids are an actor's own: of two that bear one id, neither is
 * guessed.
 */
async function findOpen(
  { proposal, proposedAt, undecided, whyNot }: DecisionRequest,
  type: string,
): Promise<{ commit: Commit; proposed: ProposeOperation } | { rejection: Rejection }> {
  const meant = undecided.filter(({ id, version }) => id === proposal && (proposedAt ?? version) === version);
  const [commit, other] = meant;
  if (commit === undefined) return { rejection: await whyNot(type) };
  if (other !== undefined) {
    const versions = meant.map(({ version }) => version);
    const message = `Several actors proposed under the id "${proposal}". Say which is meant: "proposedAt" is ${versions.join(" or ")}.`;
    return {
      rejection: rejection("conflict", type, message, {
        reason: "ambiguous",
        path: "/proposedAt",
        details: { versions },
      }),
    };
  }
  const { operation } = commit;
  return isPropose(operation) ? { commit, proposed: operation } : { rejection: await whyNot(type) };
}

function unentitled(type: string, { kind }: Actor): Rejection {
  return rejection("forbidden", type, `This "${kind}" has not the right "approve".`);
}

/** A commit that changes no state. */
function note({ state }: Confirmed, operation: { readonly type: string }): Computed {
  const transition: Transition<unknown, { readonly type: string }> = {
    accepted: true,
    state,
    operation,
    patches: [],
    inverse: [],
  };
  return { transition, records: true };
}
