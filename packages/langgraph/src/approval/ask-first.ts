// A call that waits for approval: it is proposed in the thread, and then the graph asks a person.
//
//   call --> propose --> open? -- no --> the verdict of what was decided
//                          | yes
//                          v
//                      interrupt --> answer --> carry out (accept | edit | decline) --> verdict
//                          ^            |
//                          +--- what cannot be read asks again
//
// Invariants:
// - The log is read before a person is asked. A step that runs again asks about nothing that was
//   decided meanwhile, wherever it was decided.
// - Each interrupt is about one operation.
// - Only the thread carries an operation out.
// - What cannot be read as an answer decides nothing, and is never taken for one later: LangGraph
//   gives a task all its answers again, in their order, whenever it runs again.

import type { RunnableConfig } from "@langchain/core/runnables";
import { interrupt } from "@langchain/langgraph";
import {
  type ApprovalAnswer,
  type Decider,
  lostVerdict,
  proposalOutcome,
  proposedOperation,
  questionText,
} from "@opstate/agent";
import { defined, type AnyDefinition, type AnyOperation, type Commit, type Thread, type Verdict } from "@opstate/core";
import type { ProposeOperation } from "@opstate/core/log";
import type { DispatchOptions } from "@opstate/core/thread";
import type { HITLRequest } from "langchain";
import { carryOut, isEdit, type CallResult } from "./carry-out.ts";
import { readAnyAnswer, type OperationOfCall } from "./langchain-answer.ts";
import { isUnaddressed, refuseUnaddressed } from "./unaddressed.ts";

/**
 * The value of an interrupt: the operation, what it would change and since which version, and the
 * id of its proposal in the thread. `actionRequests` and `reviewConfigs` say the same, one action,
 * in the shape of LangChain's `humanInTheLoopMiddleware`, for user interfaces made for that.
 */
export interface ApprovalRequest extends HITLRequest {
  readonly operation: AnyOperation;
  readonly patches: ProposeOperation["patches"];
  readonly basedOn: number;
  readonly proposal: string;
  /** What was wrong with the answer before: it could not be read, and decided nothing. */
  readonly problem?: string;
}

/** The tool call that waits, as LangChain knows it. */
export interface AskedCall {
  readonly name: string;
  readonly args: unknown;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly operationOf: OperationOfCall;
}

export interface AskOptions {
  readonly thread: Thread;
  readonly call: AskedCall;
  readonly update: AnyOperation;
  readonly options: DispatchOptions;
  readonly config: RunnableConfig;
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
  await refuseUnaddressed(thread, proposal, ask.config);
  const answer = answerTo(ask, proposal);
  const decider = await ask.decider(answer.type);
  if (typeof decider === "string") return unchanged(decider);
  return carryOut(answer, { thread, proposal, decider, onVerdict });
}

const UNADDRESSED =
  "Several interrupts wait, and the answer did not say which one it is for. Answer each under its own id: { [id]: answer }.";

/** Asks until an answer can be read. `interrupt` throws while nobody has answered. */
function answerTo({ thread, call }: AskOptions, proposal: Commit): ApprovalAnswer {
  let problem: string | undefined;
  for (;;) {
    const given: unknown = interrupt<ApprovalRequest>(requestOf(thread.definition, call, proposal, problem));
    const reading = isUnaddressed(given) ? { problem: UNADDRESSED } : readAnyAnswer(given, call.operationOf);
    if (reading.answer !== undefined) return reading.answer;
    ({ problem } = reading);
  }
}

function requestOf(
  definition: AnyDefinition,
  { name, args, inputSchema }: AskedCall,
  proposal: Commit,
  problem: string | undefined,
): ApprovalRequest {
  const { patches, basedOn } = proposal.operation as ProposeOperation;
  const operation = proposedOperation(proposal);
  const { actor, sentence } = proposal;
  const question = questionText(definition, { actor, operation, patches, sentence });
  const description = problem === undefined ? question : `${question}\nThe last answer was not used: ${problem}`;
  return {
    operation,
    patches,
    basedOn,
    proposal: proposal.id,
    actionRequests: [{ name, args: typeof args === "object" ? { ...args } : {}, description }],
    reviewConfigs: [
      { actionName: name, allowedDecisions: ["approve", "edit", "reject"], argsSchema: { ...inputSchema } },
    ],
    ...defined({ problem }),
  };
}
