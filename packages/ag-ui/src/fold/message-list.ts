// Lists of messages that find by id at once, at any length. Every list is a new array; what did not change is shared.
//
// An index (id -> position, call -> message) is kept beside a list and handed on to the lists made from it, so it may know more than
// its list, or know a position from another branch. So what it says is checked against the list; only what it does not know is sure.

import type { AssistantChatMessage, ChatMessage, ChatToolCall } from "../chat-state.ts";

export type Messages = readonly ChatMessage[];

interface Index {
  readonly positions: Map<string, number>;
  /** The message that carries a call. */
  readonly carriers: Map<string, string>;
}

/** A tool call and where it is. */
export interface FoundCall {
  readonly position: number;
  readonly message: AssistantChatMessage;
  readonly call: ChatToolCall;
}

export class MessageLists {
  readonly #indexes = new WeakMap<Messages, Index>();

  /** The position of a message; -1 when there is none. */
  find(messages: Messages, id: string): number {
    const position = this.#indexOf(messages).positions.get(id);
    if (position === undefined || messages[position]?.id === id) return position ?? -1;
    return this.#rebuild(messages).positions.get(id) ?? -1;
  }

  findCall(messages: Messages, callId: string): FoundCall | undefined {
    const carrier = this.#indexOf(messages).carriers.get(callId);
    if (carrier === undefined) return undefined;
    const found = this.#callAt(messages, this.find(messages, carrier), callId);
    if (found !== undefined) return found;
    const rebuilt = this.#rebuild(messages).carriers.get(callId);
    return rebuilt === undefined ? undefined : this.#callAt(messages, this.find(messages, rebuilt), callId);
  }

  /** The list with one message in place of another. The id stays; new tool calls may have come. */
  replace(messages: Messages, position: number, message: ChatMessage): Messages {
    const index = this.#indexOf(messages);
    // Spread is the fast way to copy an array that may be frozen.
    const next = [...messages];
    next[position] = message;
    register(index, message, position);
    return this.#keep(next, index);
  }

  append(messages: Messages, message: ChatMessage): Messages {
    const index = this.#indexOf(messages);
    register(index, message, messages.length);
    return this.#keep([...messages, message], index);
  }

  insert(messages: Messages, position: number, message: ChatMessage): Messages {
    const index = this.#indexOf(messages);
    const next = [...messages];
    next.splice(position, 0, message);
    for (let at = position; at < next.length; at++) index.positions.set(next[at]!.id, at);
    register(index, message, position);
    return this.#keep(next, index);
  }

  #callAt(messages: Messages, position: number, callId: string): FoundCall | undefined {
    const message = messages[position];
    if (message?.role !== "assistant") return undefined;
    const call = message.toolCalls?.find((candidate) => candidate.id === callId);
    return call === undefined ? undefined : { position, message, call };
  }

  #indexOf(messages: Messages): Index {
    return this.#indexes.get(messages) ?? this.#rebuild(messages);
  }

  #rebuild(messages: Messages): Index {
    const index: Index = { positions: new Map(), carriers: new Map() };
    for (const [position, message] of messages.entries()) {
      // Of two messages with one id, the first is found.
      if (!index.positions.has(message.id)) register(index, message, position);
    }
    this.#indexes.set(messages, index);
    return index;
  }

  #keep(messages: Messages, index: Index): Messages {
    this.#indexes.set(messages, index);
    return messages;
  }
}

function register(index: Index, message: ChatMessage, position: number): void {
  index.positions.set(message.id, position);
  if (message.role === "assistant")
    for (const call of message.toolCalls ?? []) if (!index.carriers.has(call.id)) index.carriers.set(call.id, message.id);
}
