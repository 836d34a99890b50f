// The fold's messages as the protocol has them: an agent gets them with the next run.

import type { Message } from "@ag-ui/core";
import type { ChatMessage, ChatState, ChatToolCall } from "../state/chat-state.ts";
import { detachJson } from "../state/json.ts";

/**
 * The conversation's messages in the protocol's own shape. They are copies: changing them does not
 * change the state.
 *
 * @example
 * ```ts
 * import { chatReducer, initialChatState, toAgUiMessages } from "@opstate/ag-ui";
 *
 * const chat = [
 *   { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "search", parentMessageId: "m1" },
 *   { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: "{}" },
 *   { type: "TOOL_CALL_END", toolCallId: "c1" },
 * ].reduce(chatReducer, initialChatState());
 *
 * const [message] = toAgUiMessages(chat);
 * const call = message?.role === "assistant" ? message.toolCalls?.[0] : undefined;
 * call?.function; // { name: "search", arguments: "{}" }
 * ```
 */
export function toAgUiMessages(state: Pick<ChatState, "messages">): Message[] {
  return state.messages.map(toAgUiMessage);
}

function toAgUiMessage({ status: _status, ...message }: ChatMessage): Message {
  const protocols =
    message.role === "assistant" && message.toolCalls
      ? { ...message, toolCalls: message.toolCalls.map(toToolCall) }
      : message;
  // Without its status, a message of the fold has the protocol's fields for its role.
  return detachJson(protocols) as Message;
}

function toToolCall({ id, name, arguments: text, encryptedValue, metadata }: ChatToolCall) {
  return { id, type: "function", function: { name, arguments: text }, encryptedValue, metadata };
}
