// The events of an open stream, one after the other.

import { EventSourceParserStream } from "eventsource-parser/stream";

export interface ReadEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<{ event?: string | undefined; id?: string | undefined; data: string }>;

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  }

  /** The next event; undefined when the stream has ended. */
  async next(): Promise<ReadEvent | undefined> {
    const { done, value } = await this.#reader.read();
    if (done) return undefined;
    return { event: value.event ?? "message", id: value.id, data: JSON.parse(value.data) as unknown };
  }

  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}
