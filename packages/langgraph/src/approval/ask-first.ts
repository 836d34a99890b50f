// A call that waits for somebody's yes: proposed in the thread first, then asked about in the
// graph.
//
// Invariants: the log is asked before any person is, so a step that runs again asks nothing that is
// decided, wherever it was decided; each interrupt is about one operation; nothing but the thread
// carries anything out.

import { interrupt } from "@langchain/langgraph";
import type { Actor, Commit, Thread, Verdict } from "@opstate/core";
import type { ProposeOperation } from "@opstate/core/log";
import type { DispatchOptions } from "@opstate/core/thread";
import { readAnswer } from "./answer.ts";
import { carryOut, isEdit } from "./carry-out.ts";
import { proposalOutcome, lostVerdict, proposedIn, verdictOf } from "./proposal-outcome.ts";

/**
 * What an interrupt shows: the operation, what it would change and since which version, and the id
 * of its proposal in the thread.
 */
export interface ApprovalRequest {
  readonly operation: { readonly type: string };
  readonly patches: ProposeOperation["patches"];
  readonly basedOn: number;
  readonly proposal: string;
}

/**
 * The verdict on the call, or the proposal that waits on, with what was wrong with the answer that
 * came.
 */
export type Asked =
  | { readonly verdict: Verdict; readonly edited?: { readonly type: string } }
  | { readonly waits: Commit; readonly because?: string };

export interface Question {
  readonly thread: Thread;
  readonly update: { readonly type: string };
  readonly about: DispatchOptions;
  /** Whether the graph waits for the answer. */
  readonly interrupts: boolean;
  readonly approver: () => Actor | undefined;
  /** Hears of each commit. */
  readonly tell: (verdict: Verdict) => void;
}

export async function askFirst({ thread, update, about, interrupts, approver, tell }: Question): Promise<Asked> {
  const proposed = await thread.propose(update, about);
  tell(proposed);
  if (!proposed.accepted) return { verdict: proposed };
  const { commit: proposal } = proposed;
  if (proposal === undefined) return { verdict: lostVerdict(update.type, proposed.version) };
  const fate = await proposalOutcome(thread, proposal);
  const unchanged = (because?: string): Asked =>
    fate.is === "open"
      ? { waits: proposal, ...(because !== undefined && { because }) }
      : { verdict: verdictOf(proposal, fate) };
  // An edit that was cut off goes on with its answer.
  const isOpen = fate.is === "open" || (fate.is === "ended" && isEdit(proposal, fate.by));
  if (!isOpen || !interrupts) return unchanged();
  const answer = readAnswer(interrupt<ApprovalRequest>(requestOf(proposal)));
  if (answer === undefined)
    return unchanged(
      'The answer was none of { type: "accept" }, { type: "edit", operation } and { type: "decline", message }.',
    );
  const by = approver();
  if (by === undefined) return unchanged("This run says nobody who may approve.");
  return carryOut(answer, { thread, proposal, approver: by, tell });
}

function requestOf(proposal: Commit): ApprovalRequest {
  const { patches, basedOn } = proposal.operation as ProposeOperation;
  return { operation: proposedIn(proposal), patches, basedOn, proposal: proposal.id };
}
