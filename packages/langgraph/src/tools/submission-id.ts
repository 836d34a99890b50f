// The id under which a tool call has one effect, however often its tool runs. Retries, interrupts
// and resumes run tools again.
//
// The scope of the id is the AI message of the call. Where a graph keeps no messages it is the
// task, whose id is the same on every resume.
//
// A run that is begun again has new messages and call ids. For operations with `once` the scope is
// the run and the place of the message in the conversation, and the key stands for the call:
//
//   attempt 1   user, AI m1: pay inv-7 (call c1)   ->  run.1/pay inv-7
//   attempt 2   user, AI m2: pay inv-7 (call c9)   ->  run.1/pay inv-7   known: the same verdict
//
// Calls of one message are several, also with one key: they are counted in the message's order.

import { onceIdOf, onceKeyOf, submissionOf } from "@opstate/agent";
import { AIMessage, type ToolCall } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { getCurrentTaskInput } from "@langchain/langgraph";
import type { AnyDefinition, AnyOperation } from "@opstate/core";

/**
 * The id of a tool call's submission; of several, of the `nth`. Undefined outside of a graph: the
 * thread then makes one.
 */
export function submissionId(config: RunnableConfig, toolCallId: string | undefined, nth = 1): string | undefined {
  if (toolCallId === undefined) return undefined;
  const scope = messageIdOf(taskInput(config)["messages"], toolCallId) ?? config.configurable?.["checkpoint_ns"];
  return typeof scope === "string" && scope !== "" ? submissionOf(scope, toolCallId, nth) : undefined;
}

/**
 * What the running task was given: the fields of the graph's state, or of a `Send`. Empty outside
 * of a graph.
 */
export function taskInput(config: RunnableConfig): Readonly<Record<string, unknown>> {
  try {
    const input: unknown = getCurrentTaskInput(config);
    if (Array.isArray(input)) return { messages: input };
    return typeof input === "object" && input !== null ? { ...input } : {};
  } catch {
    return {};
  }
}

export interface OnceId {
  readonly id: string;
  /** What the operation's `once` gave. */
  readonly key: string;
}

interface CallPlace {
  readonly runId: string | undefined;
  readonly config: RunnableConfig;
  /** The conversation that the call is in. */
  readonly messages: unknown;
  /** The id of its message. */
  readonly message: string | undefined;
  readonly callId: string | undefined;
  /** The update of any call of the same tool. */
  readonly updateOf: (args: Readonly<Record<string, unknown>>) => AnyOperation;
  /** Which of the operations of the call it is, of a tool of the developer's own. */
  readonly nth?: number | undefined;
}

/** Undefined where the operation has no `once`, and where the run or the message is not known. */
export function onceId(
  definition: AnyDefinition,
  update: AnyOperation,
  { runId, config, messages, message, callId, updateOf, nth }: CallPlace,
): OnceId | undefined {
  const key = onceKeyOf(definition, update);
  const all = aiMessages(messages);
  const place = all.findLastIndex(({ id }) => id !== undefined && id === message);
  if (key === undefined || runId === undefined || place === -1) return undefined;
  const calls = all[place]?.tool_calls ?? [];
  const call = calls.find(({ id }) => id === callId);
  const isSame = ({ name, args }: ToolCall) => name === call?.name && onceKeyOf(definition, updateOf(args)) === key;
  const before = call === undefined ? 0 : calls.slice(0, calls.indexOf(call)).filter(isSame).length;
  return { id: onceIdOf(`${runId}.${agentPath(config)}${place + 1}`, update, key, nth ?? before + 1), key };
}

/** The sub-agents around the task, by the names of their nodes: each has messages of its own. */
function agentPath(config: RunnableConfig): string {
  const namespace: unknown = config.configurable?.["checkpoint_ns"];
  const parts = typeof namespace === "string" ? namespace.split("|").slice(0, -1) : [];
  return parts.map((part) => `${part.split(":", 1)[0]}.`).join("");
}

/** The id of the newest message that has the call. */
export function messageIdOf(messages: unknown, toolCallId: string | undefined): string | undefined {
  return aiMessages(messages).findLast(({ tool_calls }) => tool_calls?.some(({ id }) => id === toolCallId))?.id;
}

function aiMessages(messages: unknown): readonly AIMessage[] {
  return (Array.isArray(messages) ? messages : []).filter((message) => AIMessage.isInstance(message));
}
