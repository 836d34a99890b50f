// An answer carried out on a proposal, in the thread.
//
// Invariants: the thread's log decides, so that a step that runs again, or a page that answered
// meanwhile, finds one decision; what the model is told stays true, so a proposal that could not be
// carried out is taken back; an answer of somebody who may not give it changes nothing.

import {
  type Actor,
  type Commit,
  type DispatchOptions,
  isApprove,
  isDecline,
  type Rejection,
  type Thread,
  type Verdict,
} from "@opstate/core";
import type { ApprovalAnswer } from "./answer.ts";
import { proposalOutcome, lostVerdict, nameOf, verdictOf } from "./proposal-outcome.ts";

/**
 * What came of an answer: the verdict on the call, with the operation that was put in its place; or
 * the proposal that is open still, and why.
 */
export type Carried =
  | { readonly verdict: Verdict; readonly edited?: { readonly type: string } }
  | { readonly waits: Commit; readonly because: string };

export interface Deciding {
  readonly thread: Thread;
  readonly proposal: Commit;
  readonly approver: Actor;
  /** Hears of each commit. */
  readonly tell: (verdict: Verdict) => void;
}

export async function carryOut(answer: ApprovalAnswer, deciding: Deciding): Promise<Carried> {
  if (answer.type === "accept") return accept(deciding);
  if (answer.type === "edit") return edit(answer.operation, deciding);
  const { thread, tell } = deciding;
  const reason = answer.message === undefined ? {} : { reason: answer.message };
  const verdict = await thread.decline(deciding.proposal.id, { ...deciderOf(deciding, "decline"), ...reason });
  tell(verdict);
  return verdict.accepted || isDecided(verdict) ? decided(deciding) : notAllowed(verdict.rejection, deciding);
}

async function accept(deciding: Deciding): Promise<Carried> {
  const { thread, proposal, tell } = deciding;
  const verdict = await thread.approve(proposal.id, deciderOf(deciding, "accept"));
  tell(verdict);
  if (verdict.accepted) return { verdict };
  if (isDecided(verdict)) return decided(deciding);
  if (verdict.rejection.code === "forbidden") return notAllowed(verdict.rejection, deciding);
  const withdrawn = await thread.decline(proposal.id, {
    ...originOf(proposal),
    actor: proposal.actor,
    id: `${proposal.id}/withdraw`,
    proposedAt: proposal.version,
    reason: verdict.rejection.message,
  });
  tell(withdrawn);
  // Somebody else was faster.
  return withdrawn.accepted ? { verdict } : decided(deciding);
}

/**
 * The proposal ends, and the operation in its place is proposed and approved. Who edits it must be
 * allowed to do it himself.
 */
async function edit(operation: { readonly type: string }, deciding: Deciding): Promise<Carried> {
  const { thread, proposal, approver, tell } = deciding;
  const fault = thread.definition.can(thread.getState(), operation, approver);
  if (fault?.code === "forbidden") return notAllowed(fault, deciding);
  const declined = await thread.decline(proposal.id, {
    ...deciderOf(deciding, "edit"),
    reason: "It was edited: what was made of it follows.",
  });
  tell(declined);
  if (!declined.accepted && !isDecided(declined)) return notAllowed(declined.rejection, deciding);
  const fate = await proposalOutcome(thread, proposal);
  if (fate.is !== "ended" || !isEdit(proposal, fate.by)) return decided(deciding);
  const edited = await thread.propose(operation, {
    ...originOf(proposal),
    actor: proposal.actor,
    id: `${proposal.id}/edited`,
  });
  tell(edited);
  if (!edited.accepted) return { verdict: edited, edited: operation };
  if (edited.commit === undefined) return { verdict: lostVerdict(operation.type, edited.version) };
  return { ...(await accept({ ...deciding, proposal: edited.commit })), edited: operation };
}

/** Whether this commit ended the proposal to make room for an edited one. */
export function isEdit(proposal: Commit, by: Commit): boolean {
  return isDecline(by.operation) && by.id === `${proposal.id}/edit`;
}

/** Who did what was approved, in words; "" for what was not. */
export function approvedBy(verdict: Verdict): string {
  return verdict.accepted && verdict.commit !== undefined && isApprove(verdict.commit.operation)
    ? `Approved by ${nameOf(verdict.commit.actor)}.`
    : "";
}

/** Who answered may not: the proposal waits on, unless it is over. */
async function notAllowed({ code, message }: Rejection, { thread, proposal }: Deciding): Promise<Carried> {
  const fate = await proposalOutcome(thread, proposal);
  if (fate.is !== "open") return { verdict: verdictOf(proposal, fate) };
  return { waits: proposal, because: `The answer was not allowed (${code}): ${message}` };
}

async function decided({ thread, proposal }: Deciding): Promise<Carried> {
  const fate = await proposalOutcome(thread, proposal);
  if (fate.is !== "open") return { verdict: verdictOf(proposal, fate) };
  throw new Error(`The thread says that the proposal "${proposal.id}" is decided, and that it is open.`);
}

function isDecided(verdict: Verdict): boolean {
  return !verdict.accepted && verdict.rejection.code === "conflict" && verdict.rejection.reason === "decided";
}

function deciderOf({ proposal, approver }: Deciding, how: string) {
  const { id, version: proposedAt } = proposal;
  return { ...originOf(proposal), actor: approver, id: `${id}/${how}`, proposedAt, allows: () => true };
}

/** A decision belongs to the run that proposed: to take back that run takes it back, too. */
function originOf({ runId, toolCallId }: Commit): Pick<DispatchOptions, "runId" | "toolCallId"> {
  return { ...(runId === undefined ? {} : { runId }), ...(toolCallId === undefined ? {} : { toolCallId }) };
}
