// The steps of a run. A step belongs to the agent or subagent that started it: two subagents may
// each have a step of the same name.

import type { StepFinishedEvent, StepStartedEvent } from "@ag-ui/core";
import type { ChatState, ChatStep } from "../state/chat-state.ts";
import { ownerField, warn } from "./fold.ts";

export function startStep(state: ChatState, event: StepStartedEvent): ChatState {
  if (state.steps.some((step) => isOpen(step, event))) return state;
  return { ...state, steps: [...state.steps, { name: event.stepName, status: "running", ...ownerField(event) }] };
}

export function finishStep(state: ChatState, event: StepFinishedEvent): ChatState {
  if (!state.steps.some((step) => isOpen(step, event))) {
    const message = `STEP_FINISHED: no open step "${event.stepName}"; left out`;
    return warn(state, { code: "unknown_target", eventType: event.type, message });
  }
  return { ...state, steps: state.steps.map((step) => (isOpen(step, event) ? { ...step, status: "finished" } : step)) };
}

function isOpen(step: ChatStep, event: StepStartedEvent | StepFinishedEvent): boolean {
  return step.status === "running" && step.name === event.stepName && step.subagentRunId === event.subagentRunId;
}
