// Runs: how a conversation starts, ends, fails and waits for answers.
//
// Invariant: what is still open when a run ends becomes incomplete.

import type { RunErrorEvent, RunFinishedEvent, RunStartedEvent, TokenUsage } from "@ag-ui/core";
import type { ChatError, ChatMessage, ChatState, ChatToolCall } from "../state/chat-state.ts";
import { fromAgUiMessage } from "./from-ag-ui-message.ts";
import { shareFromEnds } from "../state/share-from-ends.ts";
import { addMessages } from "./messages-snapshot.ts";

const COUNTS = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "reasoningTokens",
  "cachedInputTokens",
  "cacheWriteInputTokens",
] as const;

export function startRun(state: ChatState, event: RunStartedEvent): ChatState {
  const { threadId, runId, parentRunId, protocolVersion, input } = event;
  // Only a stream without `verifyEvents` starts a run inside another.
  const { error: _past, ...withoutError } = state.phase === "running" ? closeOpen(state) : state;
  const run = {
    threadId,
    runId,
    ...(parentRunId !== undefined && { parentRunId }),
    ...(protocolVersion !== undefined && { protocolVersion }),
  };
  const started: ChatState = {
    ...withoutError,
    phase: "running",
    run,
    steps: [],
    reasoning: [],
    pendingToolCallIds: [],
  };
  return shareFromEnds(state, addMessages(started, (input?.messages ?? []).map(fromAgUiMessage)));
}

export function finishRun(state: ChatState, event: RunFinishedEvent): ChatState {
  const { threadId, runId, outcome, usage } = event;
  const result: unknown = event.result;
  const closed = closeOpen(state);
  const named = outcome?.type === "success" ? (outcome.pendingToolCallIds ?? []) : [];
  const finished: ChatState = {
    ...closed,
    // An error of this run stays when the run ends.
    phase: closed.error === undefined ? "idle" : "error",
    run: {
      ...state.run,
      threadId,
      runId,
      outcome: outcome?.type ?? "success",
      ...(result !== undefined && { result }),
    },
    interrupts: outcome?.type === "interrupt" ? outcome.interrupts : [],
    pendingToolCallIds: named.length > 0 ? named : closed.pendingToolCallIds,
    usage: addUsage(closed.usage, usage),
  };
  return shareFromEnds(state, finished);
}

export function failRun(state: ChatState, event: RunErrorEvent): ChatState {
  const { type, message, code, usage } = event;
  const error: ChatError = { kind: kindOf(code), message, ...(code !== undefined && { code }), eventType: type };
  const failed = failWith(state, error);
  return shareFromEnds(state, { ...failed, usage: addUsage(failed.usage, usage) });
}

/** The state after an error that ends the run. */
export function failWith(state: ChatState, error: ChatError): ChatState {
  const closed = closeOpen(state);
  const { run } = closed;
  return {
    ...closed,
    phase: "error",
    error,
    ...(run !== undefined && run.outcome === undefined && { run: { ...run, outcome: "error" } }),
  };
}

/** The stages before the fold report their errors as RUN_ERROR events too. */
function kindOf(code: string | undefined): ChatError["kind"] {
  if (code === "protocol_violation") return "protocol";
  return code === "truncated_stream" ? "truncated" : "agent";
}

/** Closes all that is open: after a run, no END will come. */
export function closeOpen(state: ChatState): ChatState {
  const messages = state.messages.some(isOpen)
    ? state.messages.map((message) => (isOpen(message) ? incomplete(message) : message))
    : state.messages;
  const steps = state.steps.some(isRunning)
    ? state.steps.map((step) => (isRunning(step) ? { ...step, status: "incomplete" as const } : step))
    : state.steps;
  const subagents = state.subagents.some(isRunning)
    ? state.subagents.map((subagent) =>
        isRunning(subagent) ? { ...subagent, status: "incomplete" as const } : subagent,
      )
    : state.subagents;
  const reasoning = state.reasoning.length === 0 ? state.reasoning : [];
  const lanes = state.protocol.lanes.length === 0 ? state.protocol : { ...state.protocol, lanes: [] };
  return { ...state, messages, steps, subagents, reasoning, protocol: lanes };
}

function isRunning({ status }: { readonly status: string }): boolean {
  return status === "running";
}

function isOpen(message: ChatMessage): boolean {
  return (
    message.status === "streaming" || (message.role === "assistant" && (message.toolCalls?.some(isStreaming) ?? false))
  );
}

function isStreaming(call: ChatToolCall): boolean {
  return call.status === "streaming";
}

function incomplete(message: ChatMessage): ChatMessage {
  const status = message.status === "streaming" ? "incomplete" : message.status;
  if (message.role !== "assistant" || message.toolCalls === undefined) return { ...message, status };
  return {
    ...message,
    status,
    toolCalls: message.toolCalls.map((call) => (isStreaming(call) ? { ...call, status: "incomplete" } : call)),
  };
}

/** Sums the counts of each provider and model. A count that was never reported stays absent. */
function addUsage(before: readonly TokenUsage[], added: readonly TokenUsage[] | undefined): readonly TokenUsage[] {
  if (added === undefined || added.length === 0) return before;
  const sums = [...before];
  for (const usage of added) {
    const at = sums.findIndex(({ provider, model }) => provider === usage.provider && model === usage.model);
    sums[at === -1 ? sums.length : at] = sum(sums[at], usage);
  }
  return sums;
}

function sum(before: TokenUsage | undefined, added: TokenUsage): TokenUsage {
  const total: TokenUsage = { ...before };
  if (added.provider !== undefined) total.provider = added.provider;
  if (added.model !== undefined) total.model = added.model;
  for (const count of COUNTS) {
    const value = added[count];
    if (value !== undefined) total[count] = (total[count] ?? 0) + value;
  }
  return total;
}
