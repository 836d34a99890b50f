// The protocol's messages as the fold has them: each with a status, its tool calls flat and with
// parsed arguments.

import type { Message, ToolCall } from "@ag-ui/core";
import type { ChatMessage, ChatToolCall } from "../state/chat-state.ts";
import { completed } from "./tool-calls.ts";

/** A complete message of the fold. It shares the nested values of the protocol's message. */
export function fromAgUiMessage(message: Message): ChatMessage {
  if (message.role !== "assistant" || message.toolCalls === undefined)
    return { ...message, status: "complete" } as ChatMessage;
  const { toolCalls, ...rest } = message;
  return { ...rest, status: "complete", toolCalls: toolCalls.map(fromToolCall) };
}

function fromToolCall({ id, function: called, encryptedValue, metadata }: ToolCall): ChatToolCall {
  return completed({
    id,
    name: called.name,
    status: "streaming",
    arguments: called.arguments,
    ...(encryptedValue !== undefined && { encryptedValue }),
    ...(metadata !== undefined && { metadata }),
  });
}
