// Calls without a result are answered before the model reads them: providers refuse a conversation
// in which a call has none.
//
//   stored                          shown to the model
//   AI   remove A, rename B         AI   remove A, rename B
//   user Never mind                 tool Proposed as ...: it waits for a person's approval.
//                                   tool Accepted: list is now at version 3.
//                                   user Never mind
//
// Invariants:
// - Every call has one result, behind its message. A call that has one gets no other.
// - An answer is true when it is shown: it is made anew for each model call, and is not stored. A
//   proposal that waits now is decided later.

import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { NO_RESULT } from "@opstate/agent";
import type { RunConfig } from "../thread/thread-source.ts";
import { OperationTool } from "../tools/operation-tool.ts";

interface Request {
  readonly messages: BaseMessage[];
  readonly tools: readonly unknown[];
  readonly state: Readonly<Record<string, unknown>>;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

/** The request with an answer to each call that has none; the same request when all have one. */
export async function answerDanglingCalls<R extends Request>(request: R, config: RunConfig): Promise<R> {
  const dangling = danglingCalls(request.messages);
  if (dangling.size === 0) return request;
  const messages: BaseMessage[] = [];
  let answers: readonly ToolMessage[] = [];
  for (const message of request.messages) {
    // They stand behind the results that there are.
    if (!ToolMessage.isInstance(message)) {
      messages.push(...answers);
      answers = [];
    }
    messages.push(message);
    const calls = dangling.get(message) ?? [];
    if (calls.length > 0) answers = await Promise.all(calls.map((call) => answer(call, message, request, config)));
  }
  return { ...request, messages: [...messages, ...answers] };
}

/**
 * The calls without a result, by their messages. Some providers use an id again in each message, so
 * a result belongs to the last call before it.
 */
function danglingCalls(messages: readonly BaseMessage[]): ReadonlyMap<BaseMessage, readonly Call[]> {
  const dangling = new Map<BaseMessage, readonly Call[]>();
  const results = new Set<string>();
  for (const message of messages.toReversed()) {
    if (ToolMessage.isInstance(message)) results.add(message.tool_call_id);
    if (!AIMessage.isInstance(message)) continue;
    const calls = (message.tool_calls ?? []).flatMap(({ id, name, args }) =>
      id === undefined || results.has(id) ? [] : [{ id, name, args }],
    );
    if (calls.length > 0) dangling.set(message, calls);
    for (const { id } of message.tool_calls ?? []) if (id !== undefined) results.delete(id);
  }
  return dangling;
}

async function answer(
  { id, name, args }: Call,
  { id: message }: BaseMessage,
  { tools, state }: Request,
  config: RunConfig,
): Promise<ToolMessage> {
  const tool = tools.find((candidate) => candidate instanceof OperationTool && candidate.name === name);
  const [content, artifact] =
    tool instanceof OperationTool && message !== undefined
      ? await tool.recall({ message, id, update: tool.updateOf(args) }, { config, state })
      : [NO_RESULT, null];
  return new ToolMessage({ content, tool_call_id: id, name, artifact });
}
