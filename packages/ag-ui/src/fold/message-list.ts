// Lists of messages with a lookup by id that takes the same time at any length. Every list is a new
// array that shares the messages which did not change.
//
// An index (id -> position, call -> message) is kept beside a list, and passed on to the lists that
// are made from it:
//
//   list A --append--> list B --replace--> list C
//      \________________________________________ index, up to date for C
//
// Invariants:
// - The index may hold an entry that an older list does not have, or a position of another branch.
//   So every hit is checked against the list.
// - A miss is certain only for the list that the index is up to date for.

import type { AssistantChatMessage, ChatMessage, ChatToolCall } from "../state/chat-state.ts";

export type Messages = readonly ChatMessage[];

interface Index {
  /**
   * The list that the index is up to date for. For any other list, a hit is checked and a miss
   * proves nothing.
   */
  list: Messages;
  readonly positions: Map<string, number>;
  /** By call id, the id of the message that carries the call. */
  readonly carriers: Map<string, string>;
}

/** A tool call and where it is. */
export interface FoundCall {
  readonly position: number;
  readonly message: AssistantChatMessage;
  readonly call: ChatToolCall;
}

export class MessageLists {
  /**
   * By the first message of the list. It stays the same object while later messages stream, so a
   * token writes to no table.
   */
  readonly #indexes = new WeakMap<ChatMessage, Index>();

  /** The position of a message; -1 when there is none. */
  find(messages: Messages, id: string): number {
    const index = this.#indexOf(messages);
    const position = index?.positions.get(id);
    if (position !== undefined && messages[position]?.id === id) return position;
    if (index === undefined || (position === undefined && index.list === messages)) return -1;
    return this.#rebuild(messages).positions.get(id) ?? -1;
  }

  findCall(messages: Messages, callId: string): FoundCall | undefined {
    const index = this.#indexOf(messages);
    if (index === undefined) return undefined;
    const found = callBy(index, messages, callId);
    if (found !== undefined || (index.list === messages && !index.carriers.has(callId))) return found;
    return callBy(this.#rebuild(messages), messages, callId);
  }

  /** The list with one message replaced. The id must stay; the message may have new tool calls. */
  replace(messages: Messages, position: number, message: ChatMessage): Messages {
    // A spread is the fastest copy of an array that may be frozen.
    const next = [...messages];
    next[position] = message;
    const index = this.#moved(messages, next);
    // A token adds no call, and then there is nothing to write.
    if (index !== undefined && callsOf(message).length !== callsOf(messages[position]).length)
      register(index, message, position);
    return next;
  }

  append(messages: Messages, message: ChatMessage): Messages {
    const next = [...messages, message];
    const index = this.#moved(messages, next);
    if (index !== undefined) register(index, message, messages.length);
    return next;
  }

  insert(messages: Messages, position: number, message: ChatMessage): Messages {
    const next = [...messages];
    next.splice(position, 0, message);
    const index = this.#moved(messages, next);
    if (index !== undefined) {
      for (let at = position; at < next.length; at++) index.positions.set(next[at]!.id, at);
      register(index, message, position);
    }
    return next;
  }

  /**
   * Passes an index that is up to date on to the next list, and returns it for writing. Otherwise
   * the next miss builds a new index.
   */
  #moved(messages: Messages, next: Messages): Index | undefined {
    const index = this.#indexOf(messages);
    if (index?.list !== messages) return undefined;
    index.list = next;
    if (next[0] !== undefined && next[0] !== messages[0]) this.#indexes.set(next[0], index);
    return index;
  }

  /** Undefined for an empty list. */
  #indexOf(messages: Messages): Index | undefined {
    const first = messages[0];
    return first === undefined ? undefined : (this.#indexes.get(first) ?? this.#rebuild(messages));
  }

  #rebuild(messages: Messages): Index {
    const index: Index = { list: messages, positions: new Map(), carriers: new Map() };
    for (const [position, message] of messages.entries()) {
      // Of two messages with one id, the first is found.
      if (!index.positions.has(message.id)) register(index, message, position);
    }
    if (messages[0] !== undefined) this.#indexes.set(messages[0], index);
    return index;
  }
}

/** The call as the index has it, where the list agrees. */
function callBy(index: Index, messages: Messages, callId: string): FoundCall | undefined {
  const carrier = index.carriers.get(callId);
  const position = carrier === undefined ? undefined : index.positions.get(carrier);
  const message = position === undefined ? undefined : messages[position];
  // Another message may carry a call of the same id.
  if (position === undefined || message?.id !== carrier || message?.role !== "assistant") return undefined;
  const call = message.toolCalls?.find(({ id }) => id === callId);
  return call === undefined ? undefined : { position, message, call };
}

function callsOf(message: ChatMessage | undefined): readonly ChatToolCall[] {
  return (message?.role === "assistant" ? message.toolCalls : undefined) ?? [];
}

function register(index: Index, message: ChatMessage, position: number): void {
  if (index.positions.get(message.id) !== position) index.positions.set(message.id, position);
  for (const call of callsOf(message)) if (!index.carriers.has(call.id)) index.carriers.set(call.id, message.id);
}
