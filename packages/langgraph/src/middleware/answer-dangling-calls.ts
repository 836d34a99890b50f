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
// - Every call has one result, behind its message. A call that has one gets no other. Only the
//   stopgap of a stopped run is replaced, where the truth is known.
// - An answer is true when it is shown: it is made anew for each model call, and is not stored. A
//   proposal that is open now is decided later.

import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { NO_RESULT } from "@opstate/agent";
import { defined } from "@opstate/core";
import { stoppedCallId } from "../thread/stopped-call.ts";
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
  /** The id of the stopgap in whose place the answer stands. */
  readonly stopgap: string | undefined;
}

/** The request with an answer to each call that has none; the same request when all have one. */
export async function answerDanglingCalls<R extends Request>(request: R, config: RunConfig): Promise<R> {
  const { calls: dangling, stopgaps } = danglingCalls(request);
  if (dangling.size === 0) return request;
  const messages: BaseMessage[] = [];
  let answers: readonly ToolMessage[] = [];
  for (const message of request.messages) {
    if (stopgaps.has(message)) continue;
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
 * The calls without a result, by their messages, and the stopgaps to leave out. Some providers use
 * an id again in each message, so a result belongs to the last call before it.
 */
function danglingCalls({ messages, tools }: Request): {
  readonly calls: ReadonlyMap<BaseMessage, readonly Call[]>;
  readonly stopgaps: ReadonlySet<BaseMessage>;
} {
  const dangling = new Map<BaseMessage, readonly Call[]>();
  const stopgaps = new Set<BaseMessage>();
  const results = new Map<string, ToolMessage>();
  for (const message of messages.toReversed()) {
    if (ToolMessage.isInstance(message)) results.set(message.tool_call_id, message);
    if (!AIMessage.isInstance(message)) continue;
    const calls = (message.tool_calls ?? []).flatMap(({ id, name, args }) => {
      const result = id === undefined ? undefined : results.get(id);
      const isStopgap =
        id !== undefined && result?.id === stoppedCallId(message.id, id) && operationToolOf(tools, name) !== undefined;
      if (isStopgap && result !== undefined) stopgaps.add(result);
      return id === undefined || (result !== undefined && !isStopgap) ? [] : [{ id, name, args, stopgap: result?.id }];
    });
    if (calls.length > 0) dangling.set(message, calls);
    for (const { id } of message.tool_calls ?? []) if (id !== undefined) results.delete(id);
  }
  return { calls: dangling, stopgaps };
}

function operationToolOf(tools: readonly unknown[], name: string): OperationTool | undefined {
  return tools.find(
    (candidate): candidate is OperationTool => candidate instanceof OperationTool && candidate.name === name,
  );
}

async function answer(
  { id, name, args, stopgap }: Call,
  { id: message }: BaseMessage,
  { tools, state }: Request,
  config: RunConfig,
): Promise<ToolMessage> {
  const tool = operationToolOf(tools, name);
  const [content, artifact] =
    tool !== undefined && message !== undefined
      ? await tool.recall({ message, id, update: tool.updateOf(args) }, { config, state })
      : [NO_RESULT, null];
  return new ToolMessage({ content, tool_call_id: id, name, artifact, ...defined({ id: stopgap }) });
}
