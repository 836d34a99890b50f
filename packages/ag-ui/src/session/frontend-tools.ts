// Tools that run where the session runs: the agent calls them, and gets their results with the next
// run.
//
// Invariant: every call of a tool that is here is answered; what goes wrong is an answer too.

import { EventType, type Tool, type ToolCallResultEvent } from "@ag-ui/core";
import type { ChatState, ChatToolCall } from "../state/chat-state.ts";
import { untilAborted } from "./until-aborted.ts";

/** What a tool gets beside its arguments. */
export interface ToolContext {
  readonly toolCallId: string;
  /** Aborts with the session's `abort`. */
  readonly signal: AbortSignal;
  readonly state: ChatState;
}

/**
 * A tool of the page. What `execute` returns goes to the agent: a text as it is, anything else as
 * JSON.
 */
export interface FrontendTool {
  readonly description: string;
  /** JSON Schema of the arguments. The arguments are not checked against it here. */
  readonly parameters?: unknown;
  execute(args: unknown, context: ToolContext): unknown;
}

export type FrontendTools = Readonly<Record<string, FrontendTool>>;

/** The tools as a run's input names them. */
export function toolsForAgent(tools: FrontendTools): Tool[] {
  return Object.entries(tools).map(([name, { description, parameters }]) => ({
    name,
    description,
    ...(parameters !== undefined && { parameters }),
  }));
}

/** The calls that wait for one of these tools. */
export function unansweredCalls(state: ChatState, tools: FrontendTools): readonly ChatToolCall[] {
  const pending = new Set(state.pendingToolCallIds);
  return state.messages
    .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
    .filter(({ id, name, result }) => pending.has(id) && result === undefined && Object.hasOwn(tools, name));
}

/** Runs a call and gives its result as the event that an agent would have sent. Never rejects. */
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
    // A tool that does not listen to its signal keeps nobody.
    const value = await untilAborted(Promise.resolve(tools[call.name]?.execute(args, context)), context.signal);
    return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}

function failure(message: string): string {
  return JSON.stringify({ error: message });
}
