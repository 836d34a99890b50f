// LangGraph's stream as AG-UI events: the "messages" mode for tokens as they come, the "updates"
// mode for what never was a token.
//
// Invariants: each message, call and result is told once, however many of the modes bring it, and
// none that was there before the run; START before CONTENT and ARGS before END before RESULT, for
// each of several parallel calls; `end` leaves nothing open; a call id that a provider uses again
// (some count from `call_0` in every message) is told as another one.

import { EventType } from "@ag-ui/core";
import { AIMessage, AIMessageChunk, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { GraphEvent } from "./agent-run.ts";

type CallChunk = NonNullable<AIMessageChunk["tool_call_chunks"]>[number];
type WholeCall = NonNullable<AIMessage["tool_calls"]>[number];

interface OpenMessage {
  readonly id: string;
  readonly calls: OpenCall[];
  isTextOpen: boolean;
}

/** A call may begin without its id or name; what arrives before them is held. */
interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  held: string;
  /** The id it was told under, once it was. */
  toldAs: string | undefined;
}

export interface MessageEvents {
  /** A message of the "messages" mode: a chunk, or a whole one. */
  message(message: unknown): Generator<GraphEvent, void>;
  /** A message as a node wrote it, of the "updates" mode. */
  final(message: unknown): Generator<GraphEvent, void>;
  end(): Generator<GraphEvent, void>;
}

/**
 * `known` are the ids of the messages that were there before, `knownCalls` those of their calls.
 */
export function createMessageEvents(known: Iterable<string>, knownCalls: Iterable<string>): MessageEvents {
  const told = new Set(known);
  const toldCalls = new Set(knownCalls);
  /** The id that a call was told under, of the newest call with an id. */
  const callNames = new Map<string, string>();
  const open = new Map<string, OpenMessage>();

  function opened(id: string): OpenMessage {
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
      call = { index: chunk.index, id: undefined, name: undefined, held: "", toldAs: undefined };
      message.calls.push(call);
    }
    call.id ||= chunk.id;
    call.name ||= chunk.name;
    call.held += chunk.args ?? "";
    if (!call.id || !call.name) return;
    if (call.toldAs === undefined) {
      call.toldAs = toldCalls.has(call.id) ? `${message.id}/${call.id}` : call.id;
      toldCalls.add(call.toldAs);
      callNames.set(call.id, call.toldAs);
      yield* endText(message);
      yield {
        type: EventType.TOOL_CALL_START,
        toolCallId: call.toldAs,
        toolCallName: call.name,
        parentMessageId: message.id,
      };
    }
    if (call.held !== "") yield { type: EventType.TOOL_CALL_ARGS, toolCallId: call.toldAs, delta: call.held };
    call.held = "";
  }

  /**
   * Ends a message; `calls` are those of its final form, of which some may not have been streamed.
   */
  function* close(message: OpenMessage, calls: readonly WholeCall[]): Generator<GraphEvent, void> {
    for (const { id, name, args } of calls) {
      const isStreamed = message.calls.some((call) => call.toldAs !== undefined && call.id === id);
      if (!isStreamed)
        yield* callChunk(message, { ...(id === undefined ? {} : { id }), name, args: JSON.stringify(args) });
    }
    yield* endText(message);
    for (const { toldAs } of message.calls)
      if (toldAs !== undefined) yield { type: EventType.TOOL_CALL_END, toolCallId: toldAs };
    open.delete(message.id);
    told.add(message.id);
  }

  function* whole(message: AIMessage): Generator<GraphEvent, void> {
    const id = assignedId(message);
    if (told.has(id)) return;
    const isNew = !open.has(id);
    const target = opened(id);
    if (isNew) yield* text(target, message.text);
    yield* close(target, message.tool_calls ?? []);
  }

  function* result(message: ToolMessage): Generator<GraphEvent, void> {
    const { tool_call_id: callId, content } = message;
    const messageId = assignedId(message);
    if (told.has(messageId)) return;
    told.add(messageId);
    for (const asker of [...open.values()]) if (asker.calls.some((call) => call.id === callId)) yield* close(asker, []);
    const toolCallId = callNames.get(callId) ?? callId;
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
      if (message.id === undefined || told.has(message.id)) return;
      const target = opened(message.id);
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
  return (message.id ??= crypto.randomUUID());
}

/** The call that a chunk goes on with: by id where it has one, else by index, else the last. */
function callOf({ calls }: OpenMessage, { id, index }: CallChunk): OpenCall | undefined {
  if (id)
    return (
      calls.findLast((call) => call.id === id) ??
      calls.findLast((call) => call.id === undefined && call.index === index)
    );
  return index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
}
