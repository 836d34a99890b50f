// LangGraph's interrupts as the end of an AG-UI run that waits for answers, and the answers as what
// continues the graph.
//
// Invariant: an operation that waits for somebody's yes is known to clients by its proposal's id,
// and answered in the thread, by whoever carries proposals out with the rights for it
// (`@opstate/server` does, before the run). No answer reaches the graph that it did not ask for.

import { EventType, type Interrupt, type RunAgentInput, type RunFinishedEvent } from "@ag-ui/core";
import { Command } from "@langchain/langgraph";
import type { Proposal, Thread } from "@opstate/core";

/** What a graph asks: LangGraph's id of it, and what it shows. */
export interface GraphInterrupt {
  readonly id: string;
  readonly value: unknown;
}

/** The questions in one chunk of the "updates" mode, or in a task of a graph's state. */
export function interruptsIn(interrupts: unknown): GraphInterrupt[] {
  return (Array.isArray(interrupts) ? interrupts : []).flatMap((interrupt: unknown) => {
    if (typeof interrupt !== "object" || interrupt === null || !("id" in interrupt) || typeof interrupt.id !== "string")
      return [];
    return [{ id: interrupt.id, value: "value" in interrupt ? interrupt.value : undefined }];
  });
}

/** The end of a run that asks something. */
export async function interruptedEnd(
  questions: readonly GraphInterrupt[],
  thread: Thread,
  { threadId, runId }: RunAgentInput,
): Promise<RunFinishedEvent> {
  const open = new Map((await thread.proposals()).map((proposal) => [proposal.id, proposal]));
  const interrupts = questions.map(({ id, value }) => {
    const proposal = open.get(proposalIdOf(value) ?? "");
    return proposal === undefined
      ? { id, reason: "input_required", ...messageOf(value), metadata: { value } }
      : { ...confirmationOf(proposal), id: proposal.id };
  });
  return { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: "interrupt", interrupts } };
}

/**
 * What continues a graph that waits: the answers under their interrupts' ids, an abandoned one as
 * `{ status: "cancelled" }`; null where proposals were decided that it waits for, which its tools
 * then find in the thread. Undefined when the run is no answer.
 */
export function resumeInput(
  { resume = [] }: RunAgentInput,
  waiting: readonly GraphInterrupt[],
  decided: readonly unknown[],
): Command | null | undefined {
  const asked = new Set(waiting.map(({ id }) => id));
  const answers = resume.filter(({ interruptId }) => asked.has(interruptId));
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

/** The proposal that a question is about, where it is about one. */
function proposalIdOf(value: unknown): string | undefined {
  const isRequest =
    typeof value === "object" && value !== null && "proposal" in value && "patches" in value && "operation" in value;
  return isRequest && typeof value.proposal === "string" ? value.proposal : undefined;
}

/** A proposal as `@opstate/ag-ui` shows it, too. */
function confirmationOf({
  id,
  version,
  operation,
  actor,
  toolCallId,
  basedOn,
  patches,
  expiresAt,
}: Proposal): Omit<Interrupt, "id"> {
  return {
    reason: "confirmation",
    message: `${actor.kind === "agent" ? "The agent" : actor.id} asks to do "${operation.type}".`,
    ...(toolCallId !== undefined && { toolCallId }),
    ...(expiresAt !== undefined && { expiresAt }),
    responseSchema: {
      type: "object",
      properties: { approved: { type: "boolean" }, reason: { type: "string" } },
      required: ["approved"],
    },
    metadata: { opstate: { proposal: id, proposedAt: version, operation, patches, basedOn, proposer: actor } },
  };
}

function messageOf(value: unknown): { message?: string } {
  if (typeof value === "string") return { message: value };
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string"
    ? { message: value.message }
    : {};
}
