// Tools that run where the session runs: the agent calls them, and gets their results with the next
// run.
//
// Invariant: every call of such a tool is answered. An error is an answer too.

import { EventType, type Tool, type ToolCallResultEvent } from "@ag-ui/core";
import { defined } from "@opstate/core";
import { untilAborted } from "@opstate/core/until-aborted";
import type { ChatState, ChatToolCall } from "../state/chat-state.ts";

/** What `execute` gets beside the arguments. */
export interface ToolContext {
  readonly toolCallId: string;
  /** Aborts with the session's `abort`. */
  readonly signal: AbortSignal;
  readonly state: ChatState;
}

/**
 * A tool of the page. The agent gets what `execute` returns: a string as it is, any other value as
 * JSON.
 */
export interface FrontendTool {
  readonly description: string;
  /** JSON Schema of the arguments. The session does not validate them. */
  readonly parameters?: unknown;
  execute(args: unknown, context: ToolContext): unknown;
}

export type FrontendTools = Readonly<Record<string, FrontendTool>>;

/** The tools as the input of a run lists them. */
export function toolsForAgent(tools: FrontendTools): Tool[] {
  return Object.entries(tools).map(([name, { description, parameters }]) => ({
    name,
    description,
    ...defined({ parameters }),
  }));
}

/** The calls of these tools without a result. */
export function unansweredCalls(state: ChatState, tools: FrontendTools): readonly ChatToolCall[] {
  const pending = new Set(state.pendingToolCallIds);
  return state.messages
    .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
    .filter(({ id, name, result }) => pending.has(id) && result === undefined && Object.hasOwn(tools, name));
}

/** Runs a call, and gives its result as the event that an agent would send. Never rejects. */
export async function answerCall(
  tools: FrontendTools,
  call: ChatToolCall,
  messageId: string,
  context: ToolContext,
): Promise<ToolCallResultEvent> {
  return {
    type: EventType.TOOL_CALL_RESULT,
    messageId,
    toolCallId: call.id,
    role: "tool",
    content: await result(tools, call, context),
  };
}

async function result(tools: FrontendTools, call: ChatToolCall, context: ToolContext): Promise<string> {
  const args = call.arguments === "" ? {} : call.parsedArguments;
  if (args === undefined) return failure("The arguments are not JSON.");
  try {
    // A tool that ignores its signal does not keep the session waiting.
    const value = await untilAborted(Promise.resolve(tools[call.name]?.execute(args, context)), context.signal);
    return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  } catch (error) {
    if (context.signal.aborted) return failure("It was aborted.");
    return failure(error instanceof Error ? error.message : String(error));
  }
}

function failure(message: string): string {
  return JSON.stringify({ error: message });
}
