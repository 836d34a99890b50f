// The id under which a tool call has one effect, however often its tool runs. Retries, interrupts
// and resumes run tools again.
//
// The scope of the id is the AI message of the call. Where a graph keeps no messages it is the
// task, whose id is the same on every resume.

import { submissionOf } from "@opstate/agent";
import { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { getCurrentTaskInput } from "@langchain/langgraph";

/**
 * The id of a tool call's submission; of several, of the `nth`. Undefined outside of a graph: the
 * thread then makes one.
 */
export function submissionId(config: RunnableConfig, toolCallId: string | undefined, nth = 1): string | undefined {
  if (toolCallId === undefined) return undefined;
  const scope = messageIdOf(taskInput(config), toolCallId) ?? config.configurable?.["checkpoint_ns"];
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

function messageIdOf(input: Readonly<Record<string, unknown>>, toolCallId: string): string | undefined {
  const messages: readonly unknown[] = Array.isArray(input["messages"]) ? input["messages"] : [];
  return messages
    .filter((message) => AIMessage.isInstance(message))
    .findLast((message) => message.tool_calls?.some((call) => call.id === toolCallId))?.id;
}
