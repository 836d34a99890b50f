// How often a call was refused on one request. The count is read from the conversation, so that it
// survives a restart and begins at 0 with each request.

import { AIMessage, BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { readRefusal, refusalOf, timesRefused, type RefusedCall } from "@opstate/agent";
import type { Rejection } from "@opstate/core";

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** How many results since the last user message refuse the same call for the same reason. */
export function countRefusals(messages: unknown, call: Call, rejection: Rejection): number {
  return timesRefused(refusedSteps(messages).flat(), { ...call, ...refusalOf(rejection) });
}

/**
 * The refused calls of each AI message since the last user message, and after the message with the
 * id `after`.
 */
export function refusedSteps(messages: unknown, after?: string): readonly (readonly RefusedCall[])[] {
  const conversation: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const start = Math.max(
    conversation.findLastIndex((message) => HumanMessage.isInstance(message)),
    conversation.findLastIndex((message) => BaseMessage.isInstance(message) && message.id === after),
  );
  let calls: AIMessage["tool_calls"] = [];
  const steps: RefusedCall[][] = [];
  for (const message of conversation.slice(start + 1)) {
    if (AIMessage.isInstance(message)) {
      calls = message.tool_calls ?? [];
      steps.push([]);
    }
    if (!ToolMessage.isInstance(message)) continue;
    const call = calls.find(({ id }) => id === message.tool_call_id);
    const refusal = readRefusal(message.artifact, message.text);
    if (call !== undefined && refusal !== undefined)
      steps.at(-1)?.push({ name: call.name, args: call.args, ...refusal });
  }
  return steps;
}
