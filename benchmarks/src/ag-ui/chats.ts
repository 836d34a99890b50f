// Conversations and their events: histories of any length, a message or call that streams, a state
// that changes, a recorded session.

import type { Message } from "@ag-ui/core";

/** An event as it comes from a stream: parsed, not yet checked. */
export type StreamEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * What streams: the text of a message, the arguments of a tool call, or patches of the agent's
 * state.
 */
export type Streamed = "text" | "arguments" | "state";

export interface ChatArgs {
  readonly streamed: Streamed;
  /** Messages of the history, or items of the state. */
  readonly size: number;
}

/** After so many events a conversation starts again, so no message grows longer. */
const STREAMED_EVENTS = 1_000;

export const RUN = { threadId: "thread", runId: "run" } as const;

/** A message of the assistant that comes token by token. */
export function textOf(tokens: number): readonly StreamEvent[] {
  const messageId = "answer";
  return [
    { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
    ...Array.from({ length: tokens }, (_, n) => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta: ` token${n}` })),
    { type: "TEXT_MESSAGE_END", messageId },
  ];
}

/** About 200 characters each, as a question and its answer in turn. */
export function makeHistory(messages: number): Message[] {
  return Array.from({ length: messages }, (_, n) => ({
    id: `message-${n}`,
    role: n % 2 === 0 ? "user" : "assistant",
    content: `Message ${n}: ${"what is said here is as long as a paragraph. ".repeat(4)}`,
  }));
}

export function makeAgentState(items: number): unknown {
  return {
    items: Array.from({ length: items }, (_, n) => ({
      id: `item-${n}`,
      title: `Item ${n} of the list`,
      done: false,
      count: 0,
    })),
  };
}

/** What opens the message or call, and what then streams into it. */
export function makeStream({ streamed, size }: ChatArgs): {
  readonly opening: readonly StreamEvent[];
  readonly deltas: readonly StreamEvent[];
} {
  const started = { type: "RUN_STARTED", ...RUN };
  const deltas = Array.from({ length: STREAMED_EVENTS }, (_, n) => deltaOf(streamed, n, size));
  switch (streamed) {
    case "text":
      return { opening: [started, { type: "TEXT_MESSAGE_START", messageId: "answer", role: "assistant" }], deltas };
    case "arguments":
      return { opening: [started, { type: "TOOL_CALL_START", toolCallId: "call", toolCallName: "write" }], deltas };
    case "state":
      return { opening: [started], deltas };
  }
}

function deltaOf(streamed: Streamed, n: number, size: number): StreamEvent {
  switch (streamed) {
    case "text":
      return { type: "TEXT_MESSAGE_CONTENT", messageId: "answer", delta: ` token${n}` };
    case "arguments":
      return { type: "TOOL_CALL_ARGS", toolCallId: "call", delta: `,"key${n}":${n}` };
    case "state":
      return {
        type: "STATE_DELTA",
        delta: [{ op: "replace", path: `/items/${(n * 7919) % size}/count`, value: n + 1 }],
      };
  }
}

const TURN_EVENTS = 500;
const ITEMS = 100;

/**
 * As many events as requested, in turns of 500: a question, an answer in tokens, two tool calls
 * with results, changes of a list of 100.
 */
export function makeSession(events: number): StreamEvent[] {
  return Array.from({ length: events / TURN_EVENTS }, (_, turn) => makeTurn(turn)).flat();
}

function makeTurn(turn: number): readonly StreamEvent[] {
  const run = { threadId: "session", runId: `run-${turn}` };
  const question = {
    id: `question-${turn}`,
    role: "user",
    content: `Question ${turn}: what is next on the list, and why?`,
  };
  const snapshot = { type: "STATE_SNAPSHOT", snapshot: makeAgentState(ITEMS) };
  const head: StreamEvent[] = [
    { type: "RUN_STARTED", ...run, input: { ...run, messages: [question], tools: [], context: [] } },
    ...(turn === 0 ? [snapshot] : []),
    { type: "TEXT_MESSAGE_START", messageId: `answer-${turn}`, role: "assistant" },
  ];
  const tail: StreamEvent[] = [
    { type: "TEXT_MESSAGE_END", messageId: `answer-${turn}` },
    ...makeCall(turn, "first"),
    ...Array.from({ length: 20 }, (_, n) => ({
      type: "STATE_DELTA",
      delta: [{ op: "replace", path: `/items/${(turn + n * 7) % ITEMS}/count`, value: turn * 20 + n + 1 }],
    })),
    ...makeCall(turn, "second"),
    { type: "RUN_FINISHED", ...run },
  ];
  const tokens = Array.from({ length: TURN_EVENTS - head.length - tail.length }, (_, n) => ({
    type: "TEXT_MESSAGE_CONTENT",
    messageId: `answer-${turn}`,
    delta: ` token${n}`,
  }));
  return [...head, ...tokens, ...tail];
}

function makeCall(turn: number, name: string): readonly StreamEvent[] {
  const toolCallId = `${name}-${turn}`;
  const values = Array.from({ length: 30 }, (_, n) => ({
    type: "TOOL_CALL_ARGS",
    toolCallId,
    delta: `${n === 0 ? "" : ","}"key${n}":${n}`,
  }));
  return [
    { type: "TOOL_CALL_START", toolCallId, toolCallName: name, parentMessageId: `answer-${turn}` },
    { type: "TOOL_CALL_ARGS", toolCallId, delta: "{" },
    ...values,
    { type: "TOOL_CALL_ARGS", toolCallId, delta: "}" },
    { type: "TOOL_CALL_END", toolCallId },
    { type: "TOOL_CALL_RESULT", messageId: `result-${toolCallId}`, toolCallId, content: `{"found":${turn}}` },
  ];
}
