// The runs that an agent sends over HTTP: text after a conversation of any length, or many messages
// with tool calls.

import { RUN, type StreamEvent, textOf } from "./chats.ts";

export interface SentRun {
  readonly sent: "text" | "calls";
  /** Messages of the conversation before the text, or messages with calls in the run. */
  readonly messages: number;
}

/** Tokens of the text. */
export const TOKENS = 500;

/** `added`: messages that the conversation has more after the run. */
export function eventsOf({ sent, messages }: SentRun): {
  readonly events: readonly StreamEvent[];
  readonly added: number;
} {
  const events = [{ type: "RUN_STARTED", ...RUN }, ...(sent === "text" ? textOf(TOKENS) : calls(messages))];
  return { events: [...events, { type: "RUN_FINISHED", ...RUN }], added: sent === "text" ? 1 : 2 * messages };
}

function calls(count: number): readonly StreamEvent[] {
  return Array.from({ length: count }, (_, n) => {
    const toolCallId = `call-${n}`;
    return [
      { type: "TOOL_CALL_START", toolCallId, toolCallName: "write", parentMessageId: `message-${n}` },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: `{"line":${n}}` },
      { type: "TOOL_CALL_END", toolCallId },
      { type: "TOOL_CALL_RESULT", messageId: `result-${n}`, toolCallId, content: "written" },
    ];
  }).flat();
}
