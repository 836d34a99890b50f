// A call that needs approval: it is proposed in the thread, and then the graph asks a person.
//
//   call --> propose --> open? -- no --> the verdict of what was decided
//                          | yes
//                          v
//                      interrupt --> answer --> carry out (accept | edit | decline) --> verdict
//                          ^            |            |
//                          +------------+------------+--- what was not used asks again, with words:
//                                                         it cannot be read, is for another call,
//                                                         or may not be given by who gave it
//
// Invariants:
// - The log is read before a person is asked. A step that runs again asks about nothing that was
//   decided meanwhile, wherever it was decided.
// - Each interrupt is about one operation.
// - Only the thread carries an operation out.
// - An answer that was not used decides nothing, and is never taken for one later: LangGraph gives
//   a task all its answers again, in their order, whenever it runs again (`given-answer.ts`).

import type { RunnableConfig } from "@langchain/core/runnables";
import { interrupt } from "@langchain/langgraph";
import {
  type ApprovalAnswer,
  type CallResult,
  carryOut,
  type Decider,
  isEdit,
  proposeCall,
  proposedOperation,
  questionText,
} from "@opstate/agent";
import { defined, type AnyOperation, type Commit, type Thread, type Verdict } from "@opstate/core";
import type { ProposeOperation } from "@opstate/core/log";
import type { DispatchOptions } from "@opstate/core/thread";
import type { HITLRequest } from "langchain";
import { addressFault } from "./addressee.ts";
import { inTurn, nextAnswer, problemOfUnused, replaceKept } from "./given-answer.ts";
import { readAnyAnswer, type OperationOfCall } from "./langchain-answer.ts";

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
  /** The thread that the proposal is in. */
  readonly threadId: string;
  /** Why the answer before was not used. It decided nothing. */
  readonly problem?: string;
}

/** The undecided tool call, as LangChain knows it. */
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
  /** Who carries an answer out; or, in words, why it is not carried out. */
  readonly decider: (answer: ApprovalAnswer["type"]) => Promise<Decider | string>;
  /** Called with the verdict on each submission. */
  readonly onVerdict: (verdict: Verdict) => void;
}

export async function askFirst(ask: AskOptions): Promise<CallResult> {
  const { thread, update, interrupts, onVerdict } = ask;
  const proposed = await proposeCall(thread, update, ask.options, onVerdict);
  if (proposed.proposal === undefined) return proposed;
  const { proposal, outcome } = proposed;
  const unchanged = (note?: string): CallResult =>
    outcome.isOpen ? defined({ pending: proposal, note }) : { verdict: outcome.verdict };
  // An edit that was cut off continues with its answer.
  const isUnanswered = outcome.isOpen || isEdit(proposal, outcome.decision);
  if (!isUnanswered || !interrupts) return unchanged();
  return inTurn(ask.config, async () => {
    const used = await answered(ask, proposal);
    return "result" in used ? used.result : unchanged(used.problem);
  });
}

type Use = { readonly result: CallResult } | { readonly problem: string };

/** Asks until an answer can be used. `interrupt` throws while there is no answer. */
async function answered(ask: AskOptions, proposal: Commit): Promise<Use> {
  let problem: string | undefined;
  for (;;) {
    const given = nextAnswer(ask.config);
    const use = given && (await useAnswer(ask, proposal, given));
    if (given !== undefined && use !== undefined && "problem" in use) given.replace(use.problem);
    const value: unknown = interrupt<ApprovalRequest>(requestOf(ask, proposal, problem));
    // This version of LangGraph does not show an answer beforehand, so this one is used up already.
    if (use === undefined) return useAnswer(ask, proposal, { value, isAddressed: true });
    if ("result" in use) return use;
    ({ problem } = use);
  }
}

/** Carries an answer out, or says why it was not used. */
async function useAnswer(
  { thread, call, config, decider, onVerdict }: AskOptions,
  proposal: Commit,
  { value, isAddressed }: { readonly value: unknown; readonly isAddressed: boolean },
): Promise<Use> {
  const own = { proposal: proposal.id, threadId: thread.threadId, tool: call.name };
  const fault = problemOfUnused(value) ?? (await addressFault(value, own, { thread, config, isAddressed }));
  if (fault !== undefined && !isAddressed) await replaceKept(config, fault);
  if (fault !== undefined) return { problem: fault };
  const reading = readAnyAnswer(value, call.operationOf);
  if (reading.answer === undefined) return reading;
  const who = await decider(reading.answer.type);
  if (typeof who === "string") return { problem: who };
  const result = await carryOut(reading.answer, { thread, proposal, decider: who, onVerdict });
  // Of an edit the proposal may be over, and its successor open.
  const isStillAsked = "pending" in result && result.pending.id === proposal.id && result.note !== undefined;
  return isStillAsked ? { problem: result.note } : { result };
}

function requestOf(
  { thread: { definition, threadId }, call: { name, args, inputSchema } }: AskOptions,
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
    threadId,
    actionRequests: [{ name, args: typeof args === "object" ? { ...args } : {}, description }],
    reviewConfigs: [
      { actionName: name, allowedDecisions: ["approve", "edit", "reject"], argsSchema: { ...inputSchema } },
    ],
    ...defined({ problem }),
  };
}
