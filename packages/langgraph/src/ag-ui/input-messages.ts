// AG-UI messages as LangChain messages with the same ids, so that a graph's reducer replaces a
// message that it knows already.

import type { ContentPart, Message } from "@ag-ui/core";
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
  type ContentBlock,
} from "@langchain/core/messages";
import { defined } from "@opstate/core";
import { stoppedCallId } from "../thread/stopped-call.ts";

export interface NewInput {
  readonly messages: readonly BaseMessage[];
  /** Those of `messages` that answer calls which a stopped run left open. */
  readonly answers: readonly ToolMessage[];
}

/**
 * The messages of a conversation that are new to the graph.
 *
 * - For a graph with a stored history these are the messages after the last one that it knows, or
 *   that the agent wrote. Older messages were answered, before a restart or in another tab.
 * - A graph without a history is given all messages.
 * - A tool result is kept when a call has no result yet.
 * - A call without a result gets one here, because providers refuse a history with open calls.
 */
export function newInput(sent: readonly Message[], stored: readonly BaseMessage[]): NewInput {
  const known = new Set(stored.map(({ id }) => id));
  const start =
    stored.length === 0 ? 0 : 1 + sent.findLastIndex(({ id, role }) => known.has(id) || role === "assistant");
  const messages: BaseMessage[] = [];
  const answers: ToolMessage[] = [];
  let open = openCalls(stored);

  function answerOpen(): void {
    const stopped = [...open].map(([callId, messageId]) => stoppedAnswer(callId, messageId));
    answers.push(...stopped);
    messages.push(...stopped);
    open = new Map();
  }

  for (const message of sent.slice(start).flatMap(toLangChain)) {
    if (ToolMessage.isInstance(message)) {
      if (open.delete(message.tool_call_id)) messages.push(message);
      continue;
    }
    answerOpen();
    messages.push(message);
    open = openCalls([message]);
  }
  answerOpen();
  return { messages, answers };
}

/** The calls of the last AI message that have no result, with that message's id. */
export function openCalls(messages: readonly BaseMessage[]): Map<string, string | undefined> {
  const open = new Map<string, string | undefined>();
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) open.delete(message.tool_call_id);
    if (!AIMessage.isInstance(message)) continue;
    open.clear();
    for (const { id } of message.tool_calls ?? []) if (id !== undefined) open.set(id, message.id);
  }
  return open;
}

function stoppedAnswer(callId: string, messageId: string | undefined): ToolMessage {
  return new ToolMessage({
    id: stoppedCallId(messageId, callId),
    tool_call_id: callId,
    content: "The run was stopped before this call returned a result. The current state shows whether it took effect.",
  });
}

function toLangChain(message: Message): BaseMessage[] {
  const { id } = message;
  switch (message.role) {
    case "user":
      return [
        typeof message.content === "string"
          ? new HumanMessage({ id, content: message.content })
          : new HumanMessage({ id, contentBlocks: message.content.map(block) }),
      ];
    case "assistant":
      return [
        new AIMessage({
          id,
          content: message.content ?? "",
          tool_calls: (message.toolCalls ?? []).map((call) => ({
            type: "tool_call",
            id: call.id,
            name: call.function.name,
            args: parsed(call.function.arguments),
          })),
        }),
      ];
    case "tool":
      return [
        new ToolMessage({
          id,
          tool_call_id: message.toolCallId,
          content: typeof message.content === "string" ? message.content : JSON.stringify(message.content),
        }),
      ];
    case "system":
    case "developer":
      return [new SystemMessage({ id, content: message.content })];
    default:
      return [];
  }
}

function block(part: ContentPart): ContentBlock.Standard {
  if (part.type === "text") return { type: "text", text: part.text };
  const type = part.type === "document" ? "file" : part.type;
  const { source } = part;
  if (source.type === "data") return { type, data: source.value, mimeType: source.mimeType };
  const mimeType = defined({ mimeType: source.mimeType });
  return source.type === "url" ? { type, url: source.value, ...mimeType } : { type, fileId: source.value, ...mimeType };
}

/** The arguments of a call that was cut off are not valid JSON. */
function parsed(json: string): Record<string, unknown> {
  try {
    const args: unknown = JSON.parse(json);
    return typeof args === "object" && args !== null ? { ...args } : {};
  } catch {
    return {};
  }
}
