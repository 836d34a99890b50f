// The outcome of a proposal, as the thread reports it: it is open, or there is a verdict on the
// call that proposed it.

import type { Actor, AnyOperation, Commit, Proposal, Rejection, Thread, Verdict } from "@opstate/core";
import type { ProposalStatus } from "@opstate/core/thread";
import { truncatedJson } from "../verdict/describe-changes.ts";

const MAX_REASON_CHARACTERS = 1_000;

export type ProposalOutcome =
  | { readonly isOpen: true; readonly proposal: Proposal }
  /** `decision` is the commit that approved, declined or withdrew it, unless it was compacted. */
  | { readonly isOpen: false; readonly verdict: Verdict; readonly decision?: Commit };

export async function proposalOutcome(thread: Thread, proposal: Commit): Promise<ProposalOutcome> {
  const { id, version, operation } = proposal;
  const outcome = outcomeOf(thread, operation.type, await thread.proposal(id, { proposedAt: version }));
  return outcome ?? { isOpen: false, verdict: lostVerdict(operation.type, thread.version) };
}

/**
 * The outcome of the proposal with this id, of an operation of this type. Undefined when the log
 * knows no such proposal.
 */
export async function findProposalOutcome(
  thread: Thread,
  id: string,
  type: string,
): Promise<ProposalOutcome | undefined> {
  return outcomeOf(thread, type, await thread.proposal(id));
}

function outcomeOf(thread: Thread, type: string, found: ProposalStatus | undefined): ProposalOutcome | undefined {
  if (found?.status === "open") return { isOpen: true, proposal: found.proposal };
  if (found?.status === "decided") return { isOpen: false, verdict: verdictOn(type, found), decision: found.commit };
  if (found?.status !== "expired") return undefined;
  const message = "The proposal expired before it was decided.";
  return { isOpen: false, verdict: refusal(thread.version, type, "expired", message) };
}

/** An open proposal is never compacted: one that the log does not have was decided. */
export function lostVerdict(type: string, version: number): Verdict {
  return refusal(
    version,
    type,
    "decided",
    "The proposal was decided, but the history that says how was compacted. Check the current state.",
  );
}

/** The operation that a proposal's commit proposes. */
export function proposedOperation({ operation }: Commit): AnyOperation {
  return "operation" in operation ? (operation.operation as AnyOperation) : operation;
}

/** `user "ada"` */
export function actorName({ kind, id }: Actor): string {
  return `${kind} ${JSON.stringify(id)}`;
}

function verdictOn(
  type: string,
  { how, by, version, reason = "", commit }: Extract<ProposalStatus, { readonly status: "decided" }>,
): Verdict {
  if (how === "approved") return { accepted: true, version, commit };
  const what = how === "taken_back" ? "withdrew the proposal" : "declined it";
  const words = reason === "" ? "." : `, and said: ${truncatedJson(reason, MAX_REASON_CHARACTERS)}`;
  return refusal(version, type, how === "taken_back" ? "withdrawn" : "declined", `${actorName(by)} ${what}${words}`);
}

/** A verdict that no reducer gave: the operation was not tried. */
function refusal(version: number, type: string, reason: string, message: string): Verdict {
  const rejection: Rejection = { code: "refused", reason, message, operation: { type } };
  return { accepted: false, version, rejection, attempt: 1 };
}
