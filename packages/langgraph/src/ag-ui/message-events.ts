// LangGraph's stream as AG-UI events: tokens from the "messages" mode as they come, and from the
// "updates" mode the messages that were never streamed as tokens.
//
// Invariants:
// - Each message, call and result is sent once, even if both modes bring it.
// - A result without its verdict is not sent: the message with the verdict follows under its id.
// - Nothing that was there before the run is sent.
// - START comes before CONTENT and ARGS, then END, then RESULT, for each of several parallel calls.
// - `end` leaves nothing open.
// - A call id that a provider uses again (some count from `call_0` in every message) is sent as
//   another id.

import { EventType } from "@ag-ui/core";
import { AIMessage, AIMessageChunk, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { defined } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import { pendingVerdictOf } from "../tools/submit-to-field.ts";
import type { GraphEvent } from "./agent-run.ts";

type CallChunk = NonNullable<AIMessageChunk["tool_call_chunks"]>[number];
type WholeCall = NonNullable<AIMessage["tool_calls"]>[number];

interface OpenMessage {
  readonly id: string;
  readonly calls: OpenCall[];
  isTextOpen: boolean;
}

/** A call may begin without its id or name. Arguments that come before them are buffered. */
interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  buffered: string;
  /** The id that it was sent with, once it was sent. */
  sentAs: string | undefined;
}

export interface MessageEvents {
  /** A message of the "messages" mode: a chunk, or a whole message. */
  message(message: unknown): Generator<GraphEvent, void>;
  /** A message of the "updates" mode, as a node wrote it. */
  final(message: unknown): Generator<GraphEvent, void>;
  end(): Generator<GraphEvent, void>;
}

/** `known` and `knownCalls` are the ids of the messages, and of their calls, before the run. */
export function createMessageEvents(known: Iterable<string>, knownCalls: Iterable<string>): MessageEvents {
  const sent = new Set(known);
  const sentCalls = new Set(knownCalls);
  /** By a call's own id: the id that the newest such call was sent with. */
  const sentCallIds = new Map<string, string>();
  const open = new Map<string, OpenMessage>();

  function openMessage(id: string): OpenMessage {
    const message = open.get(id) ?? { id, calls: [], isTextOpen: false };
    open.set(id, message);
    return message;
  }

  function* text(message: OpenMessage, delta: string): Generator<GraphEvent, void> {
    if (delta === "") return;
    if (!message.isTextOpen) yield { type: EventType.TEXT_MESSAGE_START, messageId: message.id, role: "assistant" };
    message.isTextOpen = true;
    yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: message.id, delta };
  }

  function* endText(message: OpenMessage): Generator<GraphEvent, void> {
    if (message.isTextOpen) yield { type: EventType.TEXT_MESSAGE_END, messageId: message.id };
    message.isTextOpen = false;
  }

  function* callChunk(message: OpenMessage, chunk: CallChunk): Generator<GraphEvent, void> {
    let call = callOf(message, chunk);
    if (call === undefined) {
      call = { index: chunk.index, id: undefined, name: undefined, buffered: "", sentAs: undefined };
      message.calls.push(call);
    }
    call.id ||= chunk.id;
    call.name ||= chunk.name;
    call.buffered += chunk.args ?? "";
    if (!call.id || !call.name) return;
    if (call.sentAs === undefined) {
      call.sentAs = sentCalls.has(call.id) ? `${message.id}/${call.id}` : call.id;
      sentCalls.add(call.sentAs);
      sentCallIds.set(call.id, call.sentAs);
      yield* endText(message);
      yield {
        type: EventType.TOOL_CALL_START,
        toolCallId: call.sentAs,
        toolCallName: call.name,
        parentMessageId: message.id,
      };
    }
    if (call.buffered !== "") yield { type: EventType.TOOL_CALL_ARGS, toolCallId: call.sentAs, delta: call.buffered };
    call.buffered = "";
  }

  /** Ends a message. `calls` are those of its final form; some may not have been streamed. */
  function* close(message: OpenMessage, calls: readonly WholeCall[]): Generator<GraphEvent, void> {
    for (const { id, name, args } of calls) {
      const isStreamed = message.calls.some((call) => call.sentAs !== undefined && call.id === id);
      if (!isStreamed) yield* callChunk(message, { ...defined({ id }), name, args: JSON.stringify(args) });
    }
    yield* endText(message);
    for (const { sentAs } of message.calls)
      if (sentAs !== undefined) yield { type: EventType.TOOL_CALL_END, toolCallId: sentAs };
    open.delete(message.id);
    sent.add(message.id);
  }

  function* whole(message: AIMessage): Generator<GraphEvent, void> {
    const id = assignedId(message);
    if (sent.has(id)) return;
    const isNew = !open.has(id);
    const target = openMessage(id);
    if (isNew) yield* text(target, message.text);
    yield* close(target, message.tool_calls ?? []);
  }

  function* result(message: ToolMessage): Generator<GraphEvent, void> {
    if (pendingVerdictOf(message) !== undefined) return;
    const { tool_call_id: callId, content } = message;
    const messageId = assignedId(message);
    if (sent.has(messageId)) return;
    sent.add(messageId);
    for (const caller of [...open.values()])
      if (caller.calls.some((call) => call.id === callId)) yield* close(caller, []);
    const toolCallId = sentCallIds.get(callId) ?? callId;
    yield {
      type: EventType.TOOL_CALL_RESULT,
      messageId,
      toolCallId,
      content: typeof content === "string" ? content : JSON.stringify(content),
      role: "tool",
    };
  }

  return {
    *message(message) {
      if (!AIMessageChunk.isInstance(message)) return yield* this.final(message);
      if (message.id === undefined || sent.has(message.id)) return;
      const target = openMessage(message.id);
      yield* text(target, message.text);
      for (const chunk of message.tool_call_chunks ?? []) yield* callChunk(target, chunk);
    },
    *final(message) {
      if (ToolMessage.isInstance(message)) yield* result(message);
      else if (AIMessage.isInstance(message)) yield* whole(message);
    },
    *end() {
      for (const message of [...open.values()]) yield* close(message, []);
    },
  };
}

/**
 * A message's id, given at once where the graph's reducer would only give it later: it is the same
 * object.
 */
function assignedId(message: BaseMessage): string {
  return (message.id ??= randomId());
}

/** The call that a chunk continues: by its id, or by its index, or the last call. */
function callOf({ calls }: OpenMessage, { id, index }: CallChunk): OpenCall | undefined {
  if (id)
    return (
      calls.findLast((call) => call.id === id) ??
      calls.findLast((call) => call.id === undefined && call.index === index)
    );
  return index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
}
