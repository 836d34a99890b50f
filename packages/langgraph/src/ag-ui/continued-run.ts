// A run that goes on from the graph's last checkpoint: what it has to show before that.
//
//   page         u1  a1(t1 t2)  r1  a2 "Half of a sen"      what it saw until the stop
//   checkpoint   u1  a1(t1 t2)  r1  r2                      what the graph goes on from
//   snapshot     u1  a1(t1 t2)  r1  r2                      a2 is written anew
//
// Invariants:
// - What came before the run's request stays as the page has it.
// - A message that the graph will write again is not there twice.
// - A result that the page has stays: the graph does not send it again.

import type { AssistantMessage, Message, ToolMessage as ToolResult } from "@ag-ui/core";
import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { openCalls } from "./input-messages.ts";

/** What the graph's checkpoint says about the run that is to go on. */
export interface Checkpoint {
  readonly messages: readonly BaseMessage[];
  /** The tasks of the step that comes next, or is not stored yet; none when the graph had ended. */
  readonly next: readonly unknown[];
}

/** Whether the checkpoint is one of the run that answers the last request of the conversation. */
export function isOfRun(sent: readonly Message[], { messages, next }: Checkpoint): boolean {
  const request = sent.findLast(({ role }) => role === "user");
  // The page answered a call with which the run before ended.
  const asked = next.length === 0 ? openCalls(messages) : undefined;
  if (asked !== undefined && sent.some((message) => message.role === "tool" && asked.has(message.toolCallId)))
    return false;
  return messages.length === 0 ? next.length > 0 : messages.some(({ id }) => id === request?.id);
}

/** The conversation as it is at the checkpoint, with what is shown of it. */
export function conversationAt(
  sent: readonly Message[],
  stored: readonly BaseMessage[],
  isShown: (message: BaseMessage) => boolean,
): Message[] {
  const start = 1 + sent.findLastIndex(({ role }) => role === "user");
  const request = sent[start - 1];
  const ofRun = stored.slice(1 + stored.findIndex(({ id }) => id === request?.id));
  const written = ofRun.flatMap((message): (AssistantMessage | ToolResult)[] => {
    if (message.id === undefined || !isShown(message)) return [];
    if (AIMessage.isInstance(message)) return [assistantMessage(message.id, message, stored)];
    return ToolMessage.isInstance(message) ? [toolResult(message.id, message)] : [];
  });
  const ids = new Set(written.map(({ id }) => id));
  const calls = new Set(written.flatMap((message) => callsOf(message)));
  const seen = sent.slice(start).filter((message) => message.role === "tool" && calls.has(message.toolCallId));
  return [...sent.slice(0, start), ...written, ...seen.filter(({ id }) => !ids.has(id))];
}

function assistantMessage(id: string, message: AIMessage, stored: readonly BaseMessage[]): AssistantMessage {
  const { text, tool_calls: calls = [] } = message;
  const earlier = new Set(stored.slice(0, stored.indexOf(message)).flatMap(callIdsOf));
  const toolCalls = calls.flatMap((call) => {
    if (call.id === undefined) return [];
    // As it was sent: see message-events.ts.
    const sentAs = earlier.has(call.id) ? `${id}/${call.id}` : call.id;
    const called = { name: call.name, arguments: JSON.stringify(call.args) };
    return [{ id: sentAs, type: "function" as const, function: called }];
  });
  return {
    id,
    role: "assistant",
    ...(text !== "" && { content: text }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

function toolResult(id: string, { tool_call_id: toolCallId, content }: ToolMessage): ToolResult {
  return { id, role: "tool", toolCallId, content: typeof content === "string" ? content : JSON.stringify(content) };
}

function callsOf(message: AssistantMessage | ToolResult): string[] {
  return message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [];
}

function callIdsOf(message: BaseMessage): string[] {
  return AIMessage.isInstance(message) ? (message.tool_calls ?? []).flatMap(({ id }) => id ?? []) : [];
}
