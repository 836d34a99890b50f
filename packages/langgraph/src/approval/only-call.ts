// Whether a tool call is the only one of its task. LangGraph gives answers to a task in the order
// in which the task asks. If two calls in one task had questions, one could get the answer that a
// person gave to the other.

import { AIMessage, ToolMessage } from "@langchain/core/messages";

/**
 * `input` is what the task was given: a `Send` with one call, or the messages. If it shows neither,
 * the call may be one of several.
 */
export function isOnlyCall(input: Readonly<Record<string, unknown>>, toolCallId: string | undefined): boolean {
  if ("lg_tool_call" in input) return true;
  const messages: readonly unknown[] = Array.isArray(input["messages"]) ? input["messages"] : [];
  const index = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const last = messages[index];
  const answered = new Set(
    messages.slice(index + 1).map((message) => (ToolMessage.isInstance(message) ? message.tool_call_id : undefined)),
  );
  const open = AIMessage.isInstance(last) ? (last.tool_calls ?? []).filter(({ id }) => !answered.has(id)) : [];
  return open.length === 1 && open[0]?.id === toolCallId;
}
