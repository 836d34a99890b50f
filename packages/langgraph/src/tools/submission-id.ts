// The id under which a tool call has one effect, however often its tool runs: retries, interrupts
// and resumes run tools again.
//
// A tool-call id alone will not do: some providers count them from `call_0` in every message. The
// id of the AI message that holds the call makes it unique; where a graph keeps no messages, the id
// of the task does, which is the same on every resume.

import { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { getCurrentTaskInput } from "@langchain/langgraph";
import { shortId } from "../thread/short-id.ts";

/**
 * The id of a tool call's submission, or undefined outside of any graph: then the thread mints one.
 */
export function submissionId(config: RunnableConfig, toolCallId: string | undefined): string | undefined {
  if (toolCallId === undefined) return undefined;
  const scope = messageOf(taskInput(config), toolCallId) ?? config.configurable?.["checkpoint_ns"];
  return typeof scope === "string" && scope !== "" ? submissionOf(scope, toolCallId) : undefined;
}

/** The id of a call in the message (or the task) of this id. */
export function submissionOf(scope: string, toolCallId: string): string {
  return `${shortId(scope)}/${shortId(toolCallId)}`;
}

/**
 * What the running task was given: the graph's state in a `ToolNode`, as fields. Empty outside of a
 * graph.
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

function messageOf(input: Readonly<Record<string, unknown>>, toolCallId: string): string | undefined {
  const messages: readonly unknown[] = Array.isArray(input["messages"]) ? input["messages"] : [];
  return messages
    .filter((message) => AIMessage.isInstance(message))
    .findLast((message) => message.tool_calls?.some((call) => call.id === toolCallId))?.id;
}
