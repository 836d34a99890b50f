// A result is a message of the conversation and part of its call. The message is the truth, the
// call's `result` follows it.

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
 * Gives its result again to the call (to all that a message has under the id) after the message at
 * this position changed.
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

/** The message with one of its calls replaced; the same when it is the same call. */
export function withCall({ message, call }: FoundCall, next: ChatToolCall): AssistantChatMessage {
  const { toolCalls } = message;
  if (next === call || toolCalls === undefined) return message;
  const calls = [...toolCalls];
  calls[calls.indexOf(call)] = next;
  return { ...message, toolCalls: calls };
}
