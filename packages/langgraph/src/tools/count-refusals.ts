// How often a call was refused on one request. The count is read from the conversation, so that it
// survives a restart and begins at 0 with each request.

import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { Rejection } from "@opstate/core";

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** How many results since the last user message refuse the same call for the same reason. */
export function countRefusals(messages: unknown, { name, args }: Call, { code, reason }: Rejection): number {
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const json = JSON.stringify(args);
  let calls: AIMessage["tool_calls"] = [];
  let count = 0;
  for (const message of all.slice(all.findLastIndex((candidate) => HumanMessage.isInstance(candidate)) + 1)) {
    if (AIMessage.isInstance(message)) calls = message.tool_calls ?? [];
    if (!ToolMessage.isInstance(message)) continue;
    const call = calls.find(({ id }) => id === message.tool_call_id);
    const past = rejectionIn(message.artifact);
    if (call?.name === name && JSON.stringify(call.args) === json && past?.code === code && past.reason === reason)
      count += 1;
  }
  return count;
}

/** The rejection in the artifact of a tool message. Artifacts of other tools may be anything. */
function rejectionIn(artifact: unknown): { readonly code?: unknown; readonly reason?: unknown } | undefined {
  const rejection: unknown =
    typeof artifact === "object" && artifact !== null && "rejection" in artifact ? artifact.rejection : undefined;
  return typeof rejection === "object" && rejection !== null ? rejection : undefined;
}
