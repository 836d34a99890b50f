// AG-UI messages as LangChain messages, under the same ids: a graph's reducer then replaces what it knows already.

import type { ContentPart, Message } from "@ag-ui/core";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage, type ContentBlock } from "@langchain/core/messages";

export interface NewInput {
  readonly messages: readonly BaseMessage[];
  /** Those among `messages` that answer calls which a stopped run left open. */
  readonly answers: readonly ToolMessage[];
}

/**
 * What the graph has not seen of a conversation. To a graph with a history of its own only what others than the graph can say is new:
 * an assistant message that it does not know is the rest of a run that was cut off. Calls without a result are answered, for
 * providers refuse a history that has some.
 */
export function newInput(sent: readonly Message[], stored: readonly BaseMessage[]): NewInput {
  const known = new Set(stored.map(({ id }) => id));
  const fresh = sent.filter(({ id, role }) => stored.length === 0 || (!known.has(id) && role !== "assistant")).flatMap(toLangChain);
  const all = [...stored, ...fresh];
  const answers: ToolMessage[] = [];
  const messages = all.flatMap((message, index) => {
    const missing = AIMessage.isInstance(message) ? answersTo(message, all, index) : [];
    answers.push(...missing);
    return index < stored.length ? missing : [message, ...missing];
  });
  return { messages, answers };
}

/** Results for the calls of the message at `index` that have none before the next AI message. */
function answersTo({ id, tool_calls: calls = [] }: AIMessage, all: readonly BaseMessage[], index: number): ToolMessage[] {
  if (calls.length === 0) return [];
  const next = all.findIndex((message, at) => at > index && AIMessage.isInstance(message));
  const answered = new Set(
    all
      .slice(index + 1, next === -1 ? undefined : next)
      .flatMap((message) => (ToolMessage.isInstance(message) ? message.tool_call_id : [])),
  );
  return calls.flatMap(({ id: callId }) =>
    callId === undefined || answered.has(callId)
      ? []
      : new ToolMessage({
          id: `${id}/${callId}/stopped`,
          tool_call_id: callId,
          content: "The run was stopped before this call answered. The present state shows whether it took effect.",
        }),
  );
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
  const mimeType = source.mimeType === undefined ? {} : { mimeType: source.mimeType };
  return source.type === "url" ? { type, url: source.value, ...mimeType } : { type, fileId: source.value, ...mimeType };
}

/** A call that was cut off has arguments that are no JSON. */
function parsed(json: string): Record<string, unknown> {
  try {
    const args: unknown = JSON.parse(json);
    return typeof args === "object" && args !== null ? { ...args } : {};
  } catch {
    return {};
  }
}
