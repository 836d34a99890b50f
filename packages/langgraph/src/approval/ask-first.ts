// A call that waits for approval: it is proposed in the thread, and then the graph asks a person.
//
//   call --> propose --> open? -- no --> the verdict of what was decided
//                          | yes
//                          v
//                      interrupt --> answer --> carry out (accept | edit | decline) --> verdict
//
// Invariants:
// - The log is read before a person is asked. A step that runs again asks about nothing that was
//   decided meanwhile, wherever it was decided.
// - Each interrupt is about one operation.
// - Only the thread carries an operation out.

import { interrupt } from "@langchain/langgraph";
import {
  type ApprovalAnswer,
  type Decider,
  lostVerdict,
  proposalOutcome,
  proposedOperation,
  readAnswer,
} from "@opstate/agent";
import { defined, type AnyOperation, type Commit, type Thread, type Verdict } from "@opstate/core";
import type { ProposeOperation } from "@opstate/core/log";
import type { DispatchOptions } from "@opstate/core/thread";
import { carryOut, isEdit, type CallResult } from "./carry-out.ts";

/**
 * The value of an interrupt: the operation, what it would change and since which version, and the
 * id of its proposal in the thread.
 */
export interface ApprovalRequest {
  readonly operation: AnyOperation;
  readonly patches: ProposeOperation["patches"];
  readonly basedOn: number;
  readonly proposal: string;
}

export interface AskOptions {
  readonly thread: Thread;
  readonly update: AnyOperation;
  readonly options: DispatchOptions;
  /** Whether the graph waits for the answer. */
  readonly interrupts: boolean;
  /** Who carries an answer out, or in words why nobody does. */
  readonly decider: (answer: ApprovalAnswer["type"]) => Promise<Decider | string>;
  /** Called with the verdict on each submission. */
  readonly onVerdict: (verdict: Verdict) => void;
}

export async function askFirst(ask: AskOptions): Promise<CallResult> {
  const { thread, update, interrupts, onVerdict } = ask;
  const proposed = await thread.propose(update, ask.options);
  onVerdict(proposed);
  if (!proposed.accepted) return { verdict: proposed };
  const { commit: proposal } = proposed;
  if (proposal === undefined) return { verdict: lostVerdict(update.type, proposed.version) };
  const outcome = await proposalOutcome(thread, proposal);
  const unchanged = (note?: string): CallResult =>
    outcome.isOpen ? defined({ pending: proposal, note }) : { verdict: outcome.verdict };
  // An edit that was cut off continues with its answer.
  const isUnanswered = outcome.isOpen || isEdit(proposal, outcome.decision);
  if (!isUnanswered || !interrupts) return unchanged();
  const answer = readAnswer(interrupt<ApprovalRequest>(requestOf(proposal)));
  if (answer === undefined)
    return unchanged(
      'The answer must be { type: "accept" }, { type: "edit", operation } or { type: "decline", message }; it was something else.',
    );
  const decider = await ask.decider(answer.type);
  if (typeof decider === "string") return unchanged(decider);
  return carryOut(answer, { thread, proposal, decider, onVerdict });
}

function requestOf(proposal: Commit): ApprovalRequest {
  const { patches, basedOn } = proposal.operation as ProposeOperation;
  return { operation: proposedOperation(proposal), patches, basedOn, proposal: proposal.id };
}
