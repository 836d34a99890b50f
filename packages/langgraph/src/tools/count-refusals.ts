// How often a call was refused on one request. The count is read from the conversation, so that it
// survives a restart and begins at 0 with each request.

import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { readRefusal, refusalOf, timesRefused, type RefusedCall } from "@opstate/agent";
import type { Rejection } from "@opstate/core";

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** How many results since the last user message refuse the same call for the same reason. */
export function countRefusals(messages: unknown, call: Call, rejection: Rejection): number {
  return timesRefused(refusedCalls(messages).all, { ...call, ...refusalOf(rejection) });
}

/** The refused calls since the last user message; `latest` are those of the last AI message. */
export function refusedCalls(messages: unknown): {
  readonly all: readonly RefusedCall[];
  readonly latest: readonly RefusedCall[];
} {
  const given: readonly unknown[] = Array.isArray(messages) ? messages : [];
  let calls: AIMessage["tool_calls"] = [];
  let latest: RefusedCall[] = [];
  const all: RefusedCall[] = [];
  for (const message of given.slice(given.findLastIndex((candidate) => HumanMessage.isInstance(candidate)) + 1)) {
    if (AIMessage.isInstance(message)) [calls, latest] = [message.tool_calls ?? [], []];
    if (!ToolMessage.isInstance(message)) continue;
    const call = calls.find(({ id }) => id === message.tool_call_id);
    const refusal = readRefusal(message.artifact, message.text);
    if (call === undefined || refusal === undefined) continue;
    const refused = { name: call.name, args: call.args, ...refusal };
    all.push(refused);
    latest.push(refused);
  }
  return { all, latest };
}
