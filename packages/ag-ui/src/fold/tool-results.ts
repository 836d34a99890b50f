// A tool's result is a message of the conversation and a part of its call.
//
// Invariant: the call's `result` says what the message says.

import type {
  AssistantChatMessage,
  ChatState,
  ChatToolCall,
  ChatToolResult,
  ToolChatMessage,
} from "../state/chat-state.ts";
import { type Fold, withMessage } from "./fold.ts";
import type { FoundCall } from "./message-list.ts";

export function resultOf({ id, content, error }: ToolChatMessage): ChatToolResult {
  return { messageId: id, content, ...(error !== undefined && { error }) };
}

/**
 * Updates the `result` of a call after the tool message at this position changed. Should a message
 * have several calls with the id, all of them get it.
 */
export function attachResult(fold: Fold, state: ChatState, position: number): ChatState {
  const message = state.messages[position];
  if (message?.role !== "tool") return state;
  const found = fold.lists.findCall(state.messages, message.toolCallId);
  if (found === undefined) return state;
  const calls = found.message.toolCalls ?? [];
  const next = calls.map((call) => (call.id === message.toolCallId ? withResult(call, message) : call));
  if (next.every((call, at) => call === calls[at])) return state;
  return withMessage(fold, state, found.position, { ...found.message, toolCalls: next });
}

export function withResult(call: ChatToolCall, message: ToolChatMessage): ChatToolCall {
  const { result } = call;
  const same =
    result !== undefined &&
    result.messageId === message.id &&
    result.content === message.content &&
    result.error === message.error;
  return same ? call : { ...call, result: resultOf(message) };
}

/** The message with one of its calls replaced; the same message when the call is the same. */
export function withCall({ message, call }: FoundCall, next: ChatToolCall): AssistantChatMessage {
  const { toolCalls } = message;
  if (next === call || toolCalls === undefined) return message;
  const calls = [...toolCalls];
  calls[calls.indexOf(call)] = next;
  return { ...message, toolCalls: calls };
}
