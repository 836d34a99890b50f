// Reasoning: the spans that are open, and encrypted values that an agent sends back to its model.
// text.ts folds the text of reasoning.

import type { ReasoningEncryptedValueEvent, ReasoningEndEvent, ReasoningStartEvent } from "@ag-ui/core";
import type { ChatState } from "../state/chat-state.ts";
import { type Fold, noSuchCall, noSuchMessage, ownerField, warn, withMessage, wrongMessage } from "./fold.ts";
import { withCall } from "./tool-results.ts";

export function startSpan(state: ChatState, event: ReasoningStartEvent): ChatState {
  if (state.reasoning.some((span) => span.id === event.messageId)) return state;
  return { ...state, reasoning: [...state.reasoning, { id: event.messageId, ...ownerField(event) }] };
}

export function endSpan(state: ChatState, event: ReasoningEndEvent): ChatState {
  const reasoning = state.reasoning.filter((span) => span.id !== event.messageId);
  if (reasoning.length < state.reasoning.length) return { ...state, reasoning };
  const message = `REASONING_END: no open reasoning "${event.messageId}"; left out`;
  return warn(state, { code: "unknown_target", eventType: event.type, message });
}

/** Sets the encrypted value of a message or of a tool call. An activity cannot have one. */
export function setEncryptedValue(fold: Fold, state: ChatState, event: ReasoningEncryptedValueEvent): ChatState {
  const { type, subtype, entityId, encryptedValue } = event;
  if (subtype === "tool-call") {
    const found = fold.lists.findCall(state.messages, entityId);
    if (found === undefined) return noSuchCall(state, type, entityId);
    const { position, call } = found;
    if (call.encryptedValue === encryptedValue) return state;
    return withMessage(fold, state, position, withCall(found, { ...call, encryptedValue }));
  }
  const position = fold.lists.find(state.messages, entityId);
  const message = state.messages[position];
  if (message === undefined) return noSuchMessage(state, type, entityId);
  if (message.role === "activity") return wrongMessage(state, type, message);
  return message.encryptedValue === encryptedValue
    ? state
    : withMessage(fold, state, position, { ...message, encryptedValue });
}
