// Carries an answer to a proposal out, in the thread.
//
// Invariants:
// - The thread's log decides. A step that runs again, and a page that answered meanwhile, find one
//   decision.
// - What the model reads stays true: a proposal that could not be carried out is withdrawn.
// - An answer of an actor who may not give it changes nothing.

import { defined, type AnyOperation, type Commit, type Rejection, type Thread, type Verdict } from "@opstate/core";
import { isApprove, isDecline, isPropose } from "@opstate/core/log";
import { sameActor, type DispatchOptions } from "@opstate/core/thread";
import type { ApprovalAnswer } from "./answer.ts";
import type { Decider } from "./connection.ts";
import { actorName, lostVerdict, proposalOutcome } from "./proposal-outcome.ts";

/**
 * The result of a call: the verdict, with the operation that replaced the proposed one; or the
 * proposal that is still open, with a note on why the answer was not used.
 */
export type CallResult =
  | { readonly verdict: Verdict; readonly edited?: AnyOperation }
  | { readonly pending: Commit; readonly note?: string };

type Edit = Extract<ApprovalAnswer, { readonly type: "edit" }>;

export interface DecisionContext {
  readonly thread: Thread;
  readonly proposal: Commit;
  readonly decider: Decider;
  /** Called with the verdict on each submission. */
  readonly onVerdict: (verdict: Verdict) => void;
}

export async function carryOut(answer: ApprovalAnswer, context: DecisionContext): Promise<CallResult> {
  if (answer.type === "accept") return accept(context);
  if (answer.type === "edit") return edit(answer, context);
  const { decider, onVerdict } = context;
  const verdict = await decider.decline(context.proposal.id, {
    ...decisionOptions(context, "decline"),
    ...defined({ reason: answer.message }),
  });
  onVerdict(verdict);
  return verdict.accepted || isDecided(verdict) ? decided(context) : notAllowed(verdict.rejection, context);
}

async function accept(context: DecisionContext): Promise<CallResult> {
  const { thread, proposal, decider, onVerdict } = context;
  const verdict = await decider.approve(proposal.id, decisionOptions(context, "accept"));
  onVerdict(verdict);
  if (verdict.accepted) return { verdict };
  if (isDecided(verdict)) return decided(context);
  if (verdict.rejection.code === "forbidden") return notAllowed(verdict.rejection, context);
  const withdrawn = await thread.decline(proposal.id, {
    ...originOf(proposal),
    actor: proposal.actor,
    id: `${proposal.id}/withdraw`,
    madeAt: Date.now(),
    proposedAt: proposal.version,
    reason: verdict.rejection.message,
  });
  onVerdict(withdrawn);
  // Another decision came first.
  return withdrawn.accepted ? { verdict } : decided(context);
}

/**
 * Declines the proposal, and proposes and approves the edited operation in its place. The approver
 * must be allowed to do the edited operation themselves. It may change only the things that they
 * saw: the state moves on while a person reads.
 */
async function edit(answer: Edit, context: DecisionContext): Promise<CallResult> {
  const { thread, proposal, decider, onVerdict } = context;
  const { operation, basedOn = shownVersion(proposal), things } = answer;
  if (basedOn !== undefined && basedOn > thread.version) {
    const note = `The answer was not used: it is based on version ${basedOn}, and there is none after ${thread.version}.`;
    return notUsed(note, context);
  }
  const fault = thread.definition.can(thread.getState(), operation, decider.actor);
  if (fault?.code === "forbidden") return notAllowed(fault, context);
  // The proposer could decline it, but not approve the edited one.
  if (sameActor(decider.actor, proposal.actor))
    return notAllowed(
      { code: "forbidden", message: "The proposer cannot edit their own proposal: another actor must edit it." },
      context,
    );
  const declined = await decider.decline(proposal.id, {
    ...decisionOptions(context, "edit"),
    reason: "It was edited. The edited operation follows.",
  });
  onVerdict(declined);
  if (!declined.accepted && !isDecided(declined)) return notAllowed(declined.rejection, context);
  const outcome = await proposalOutcome(thread, proposal);
  if (outcome.isOpen || !isEdit(proposal, outcome.decision)) return decided(context);
  const edited = await thread.propose(operation, {
    ...originOf(proposal),
    actor: proposal.actor,
    id: `${proposal.id}/edited`,
    madeAt: Date.now(),
    ...defined({ basedOn, things }),
  });
  onVerdict(edited);
  if (!edited.accepted) return { verdict: edited, edited: operation };
  if (edited.commit === undefined) return { verdict: lostVerdict(operation.type, edited.version) };
  return { ...(await accept({ ...context, proposal: edited.commit })), edited: operation };
}

/** The version that the question showed; undefined for a proposal of an older kind. */
function shownVersion({ operation }: Commit): number | undefined {
  return isPropose(operation) ? operation.basedOn : undefined;
}

/** Whether this commit ended the proposal in favor of an edited one. */
export function isEdit(proposal: Commit, decision: Commit | undefined): boolean {
  return decision !== undefined && isDecline(decision.operation) && decision.id === `${proposal.id}/edit`;
}

/** Who approved the operation, in words; "" when there is no approver. */
export function approvedBy(verdict: Verdict): string {
  return verdict.accepted && verdict.commit !== undefined && isApprove(verdict.commit.operation)
    ? `Approved by ${actorName(verdict.commit.actor)}.`
    : "";
}

/** The approver has no right to give this answer. */
async function notAllowed(
  { code, message }: Pick<Rejection, "code" | "message">,
  context: DecisionContext,
): Promise<CallResult> {
  const note = `The answer was not allowed (${code}): ${message} ${whoMayAnswer(context.proposal)}`;
  return notUsed(note, context);
}

/** Who may answer, in words. */
export function whoMayAnswer({ actor }: Pick<Commit, "actor">): string {
  return `Another actor than its proposer, ${actorName(actor)}, with the right to approve, must decide it.`;
}

/** The answer decides nothing: the proposal stays open, unless it is decided. */
async function notUsed(note: string, { thread, proposal }: DecisionContext): Promise<CallResult> {
  const outcome = await proposalOutcome(thread, proposal);
  return outcome.isOpen ? { pending: proposal, note } : { verdict: outcome.verdict };
}

async function decided({ thread, proposal }: DecisionContext): Promise<CallResult> {
  const outcome = await proposalOutcome(thread, proposal);
  if (!outcome.isOpen) return { verdict: outcome.verdict };
  throw new Error(`The thread reports the proposal "${proposal.id}" both as decided and as open.`);
}

function isDecided(verdict: Verdict): boolean {
  return !verdict.accepted && verdict.rejection.code === "conflict" && verdict.rejection.reason === "decided";
}

function decisionOptions({ proposal, decider }: DecisionContext, how: string) {
  const { id, version: proposedAt } = proposal;
  const own = { id: `${id}/${how}`, madeAt: Date.now(), proposedAt };
  return { ...originOf(proposal), ...own, actor: decider.actor, allows: () => true };
}

/** A decision belongs to the run that proposed: undoing that run undoes the decision, too. */
function originOf({ runId, toolCallId }: Commit): Pick<DispatchOptions, "runId" | "toolCallId"> {
  return defined({ runId, toolCallId });
}
