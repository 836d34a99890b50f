// LangGraph's interrupts as the end of an AG-UI run that waits for answers, and the answers as LangGraph's resume.

import { EventType, type Interrupt, type RunAgentInput, type RunFinishedEvent } from "@ag-ui/core";
import { Command } from "@langchain/langgraph";

/** The interrupts in one chunk of the "updates" mode. */
export function interruptsIn(update: unknown): Interrupt[] {
  const pending: unknown = typeof update === "object" && update !== null && "__interrupt__" in update ? update.__interrupt__ : [];
  return (Array.isArray(pending) ? pending : []).flatMap((interrupt: unknown) => {
    if (typeof interrupt !== "object" || interrupt === null || !("id" in interrupt) || typeof interrupt.id !== "string") return [];
    const value: unknown = "value" in interrupt ? interrupt.value : undefined;
    return [{ id: interrupt.id, reason: "input_required", ...messageOf(value), metadata: { value } }];
  });
}

/** The end of a run that asks something. */
export function askedFor(interrupts: Interrupt[], { threadId, runId }: RunAgentInput): RunFinishedEvent {
  return { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: "interrupt", interrupts } };
}

/** What continues an interrupted graph: each answer under its interrupt's id; an abandoned one is answered `{ status: "cancelled" }`. */
export function resumption({ resume }: RunAgentInput): Command | undefined {
  if (resume === undefined || resume.length === 0) return undefined;
  return new Command({
    resume: Object.fromEntries(
      resume.map(({ interruptId, status, payload }) => [interruptId, status === "resolved" ? payload : { status }]),
    ),
  });
}

function messageOf(value: unknown): { message?: string } {
  if (typeof value === "string") return { message: value };
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string"
    ? { message: value.message }
    : {};
}
