// LangGraph's interrupts as the end of an AG-UI run, and the answers as what resumes the graph.
//
// Invariants:
// - Clients know an operation that needs approval by its proposal's id. It is answered in the
//   thread, with the rights of the actor who answers (`@opstate/server` does this before the run).
// - The graph gets no answer to an interrupt that is not open.

import { EventType, type RunAgentInput, type RunFinishedEvent } from "@ag-ui/core";
import { Command } from "@langchain/langgraph";
import type { Thread } from "@opstate/core";
import { confirmationOf } from "@opstate/core/thread";

/** An interrupt of a graph: LangGraph's id of it, and its value. */
export interface GraphInterrupt {
  readonly id: string;
  readonly value: unknown;
}

/** The interrupts in one chunk of the "updates" mode, or in a task of a graph's state. */
export function interruptsIn(value: unknown): GraphInterrupt[] {
  return (Array.isArray(value) ? value : []).flatMap((interrupt: unknown) => {
    if (typeof interrupt !== "object" || interrupt === null || !("id" in interrupt) || typeof interrupt.id !== "string")
      return [];
    return [{ id: interrupt.id, value: "value" in interrupt ? interrupt.value : undefined }];
  });
}

/** The end of a run that was interrupted. */
export async function interruptedEnd(
  waiting: readonly GraphInterrupt[],
  thread: Thread,
  { threadId, runId }: RunAgentInput,
): Promise<RunFinishedEvent> {
  const open = new Map((await thread.proposals()).map((proposal) => [proposal.id, proposal]));
  const interrupts = waiting.map(({ id, value }) => {
    const proposal = open.get(proposalIdOf(value) ?? "");
    return proposal === undefined
      ? { id, reason: "input_required", ...messageOf(value), metadata: { value } }
      : confirmationOf(proposal);
  });
  return { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: "interrupt", interrupts } };
}

/**
 * The input that resumes an interrupted graph:
 *
 * - a command with the answers by interrupt id; the answer to a cancelled one is `{ status:
 *   "cancelled" }`;
 * - null when proposals were decided in the thread, where the graph's tools find the decisions;
 * - undefined when the run answers nothing.
 */
export function resumeInput(
  { resume = [] }: RunAgentInput,
  waiting: readonly GraphInterrupt[],
  decided: readonly unknown[],
): Command | null | undefined {
  const open = new Set(waiting.map(({ id }) => id));
  const answers = resume.filter(({ interruptId }) => open.has(interruptId));
  if (answers.length > 0) {
    return new Command({
      resume: Object.fromEntries(
        answers.map(({ interruptId, status, payload }) => [interruptId, status === "resolved" ? payload : { status }]),
      ),
    });
  }
  const isAnswer = resume.length > 0 || decided.length > 0;
  return isAnswer && waiting.some(({ value }) => proposalIdOf(value) !== undefined) ? null : undefined;
}

/** The id of the proposal that an interrupt is about, if it is about one. */
function proposalIdOf(value: unknown): string | undefined {
  const isRequest =
    typeof value === "object" && value !== null && "proposal" in value && "patches" in value && "operation" in value;
  return isRequest && typeof value.proposal === "string" ? value.proposal : undefined;
}

function messageOf(value: unknown): { message?: string } {
  if (typeof value === "string") return { message: value };
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string"
    ? { message: value.message }
    : {};
}
