// What a session has sent, for a client that lost a stream and resumes it (`Last-Event-ID`).
//
// Invariants:
// - Of "this resource changed" the newest is kept for each resource: none is lost.
// - Of all else the newest are kept, as many as fit.

import {
  type EventId,
  type EventStore,
  isJSONRPCNotification,
  type JSONRPCMessage,
  type StreamId,
} from "@modelcontextprotocol/server";

interface SentEvent {
  readonly number: number;
  readonly streamId: StreamId;
  readonly message: JSONRPCMessage;
  readonly characters: number;
}

const MAX_CHARACTERS = 200_000;

type Send = Parameters<EventStore["replayEventsAfter"]>[1]["send"];

export class SentEvents implements EventStore {
  /** By the resource's address. */
  readonly #updates = new Map<string, SentEvent>();
  readonly #others: SentEvent[] = [];
  #characters = 0;
  #last = 0;

  async storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const event = { number: ++this.#last, streamId, message, characters: JSON.stringify(message).length };
    const uri = updatedUri(message);
    if (uri !== undefined) this.#updates.set(uri, event);
    // The SDK's first event of a stream has an id and no message.
    else if ("jsonrpc" in message) this.#keep(event);
    return idOf(event);
  }

  async getStreamIdForEventId(eventId: EventId): Promise<StreamId | undefined> {
    return readId(eventId)?.streamId;
  }

  async replayEventsAfter(lastEventId: EventId, { send }: { readonly send: Send }): Promise<StreamId> {
    const last = readId(lastEventId);
    if (last === undefined) throw new Error("The event id is not of this server.");
    const later = [...this.#updates.values(), ...this.#others].filter(
      ({ streamId, number }) => streamId === last.streamId && number > last.number,
    );
    for (const event of later.sort((a, b) => a.number - b.number)) await send(idOf(event), event.message);
    return last.streamId;
  }

  /** Where a stream begins that shows every update which an earlier one may have lost. */
  beforeUpdates(): EventId | undefined {
    const [first] = this.#updates.values();
    return first && idOf({ streamId: first.streamId, number: 0 });
  }

  forget(uri: string): void {
    this.#updates.delete(uri);
  }

  #keep(event: SentEvent): void {
    this.#others.push(event);
    this.#characters += event.characters;
    while (this.#characters > MAX_CHARACTERS) this.#characters -= this.#others.shift()?.characters ?? Infinity;
  }
}

function updatedUri(message: JSONRPCMessage): string | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/resources/updated") return undefined;
  const uri = message.params?.["uri"];
  return typeof uri === "string" ? uri : undefined;
}

function idOf({ streamId, number }: Pick<SentEvent, "streamId" | "number">): EventId {
  return `${streamId}.${number}`;
}

function readId(eventId: EventId): Pick<SentEvent, "streamId" | "number"> | undefined {
  const [, streamId, number] = /^(.+)\.(\d{1,15})$/.exec(eventId) ?? [];
  return streamId === undefined ? undefined : { streamId, number: Number(number) };
}
