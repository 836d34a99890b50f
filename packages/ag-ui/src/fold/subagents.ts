// Subagents: each invocation once, with its outcome. A suspended invocation that a later run
// continues keeps its place.

import type { SubagentErrorEvent, SubagentFinishedEvent, SubagentStartedEvent } from "@ag-ui/core";
import type { ChatState, Subagent } from "../state/chat-state.ts";
import { shareFromEnds } from "../state/share-from-ends.ts";
import { warn } from "./fold.ts";

export function startSubagent(state: ChatState, event: SubagentStartedEvent): ChatState {
  const { subagentRunId, name, description, parentSubagentRunId, parentToolCallId, parentMessageId } = event;
  const started: Subagent = {
    id: subagentRunId,
    name,
    status: "running",
    ...(state.run !== undefined && { runId: state.run.runId }),
    ...(description !== undefined && { description }),
    ...(parentSubagentRunId !== undefined && { parentSubagentRunId }),
    ...(parentToolCallId !== undefined && { parentToolCallId }),
    ...(parentMessageId !== undefined && { parentMessageId }),
  };
  return state.subagents.some((subagent) => subagent.id === subagentRunId)
    ? replaced(state, shareFromEnds<Subagent>(find(state, subagentRunId), started))
    : { ...state, subagents: [...state.subagents, started] };
}

export function finishSubagent(state: ChatState, event: SubagentFinishedEvent): ChatState {
  const subagent = find(state, event.subagentRunId);
  if (subagent === undefined) return unknown(state, event);
  const { outcome } = event;
  const result: unknown = event.result;
  const suspended = outcome?.type === "suspended" ? outcome : undefined;
  return replaced(state, {
    ...subagent,
    status: suspended === undefined ? "finished" : "suspended",
    ...(result !== undefined && { result }),
    ...(suspended?.interruptIds !== undefined && { interruptIds: suspended.interruptIds }),
  });
}

export function failSubagent(state: ChatState, event: SubagentErrorEvent): ChatState {
  const subagent = find(state, event.subagentRunId);
  if (subagent === undefined) return unknown(state, event);
  const error = { message: event.message, ...(event.code !== undefined && { code: event.code }) };
  return replaced(state, { ...subagent, status: "error", error });
}

function find(state: ChatState, id: string): Subagent | undefined {
  return state.subagents.find((subagent) => subagent.id === id);
}

function replaced(state: ChatState, next: Subagent): ChatState {
  if (state.subagents.includes(next)) return state;
  return { ...state, subagents: state.subagents.map((subagent) => (subagent.id === next.id ? next : subagent)) };
}

function unknown(state: ChatState, event: SubagentFinishedEvent | SubagentErrorEvent): ChatState {
  const message = `${event.type}: subagent "${event.subagentRunId}" was not started; left out`;
  return warn(state, { code: "unknown_target", eventType: event.type, message });
}
