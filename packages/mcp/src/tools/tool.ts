// A tool of the endpoint: what a client lists, and what a call of it does.

import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import type { AgentCall, AgentSession } from "@opstate/agent";
import type { Thread } from "@opstate/core";
import { textArgument, type Arguments } from "../call/arguments.ts";
import type { McpCaller, McpRight } from "../call/caller.ts";
import type { Sessions } from "../call/sessions.ts";

export interface ToolContext {
  readonly caller: McpCaller;
  readonly sessions: Sessions;
  /** What the client says of the call, beside the model's arguments. */
  readonly call: AgentCall;
  readonly request: ServerContext;
  /** Whether the client can show a form to a person. */
  readonly elicits: boolean;
}

export interface McpTool {
  readonly listed: Tool;
  /** Throws a CallProblem, or an error that the caller explains. */
  readonly run: (args: Arguments, context: ToolContext) => Promise<CallToolResult | InputRequiredResult>;
}

export const THREAD_ID = {
  type: "string",
  description: "The thread, such as opstate_threads lists it",
} as const;

export const OPERATION = {
  type: "object",
  description: 'The operation\'s type, and its input beside it: { "type": "move", ... }',
  properties: { type: { type: "string" } },
  required: ["type"],
};

/** A tool that changes nothing. */
export const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** A tool that adds to a thread. */
export const WRITES = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/** The thread that the arguments name, for a sender with these rights. */
export async function openThread(
  args: Arguments,
  { caller, sessions }: Pick<ToolContext, "caller" | "sessions">,
  rights: readonly McpRight[],
): Promise<{ readonly thread: Thread; readonly session: AgentSession }> {
  const threadId = textArgument(args, "threadId");
  for (const right of rights) await caller.require(threadId, right);
  const thread = await caller.thread(threadId);
  return { thread, session: await sessions.of(thread, caller.actor) };
}
