// One reader of a record: the events from its place on, each with its number as the last event id,
// as fast as it reads.

import type { EventStream } from "../http/event-stream.ts";
import type { Frame } from "../http/sink.ts";
import type { RunRecord } from "./run-record.ts";

/** Events that are handed over at a time. */
const BATCH = 64;

const ENCODER = new TextEncoder();

export class RunFollower {
  readonly #record: RunRecord;
  readonly #stream: EventStream;
  #position = 0;
  #isWaiting = false;
  #stopListening = () => {};

  constructor(record: RunRecord, stream: EventStream) {
    this.#record = record;
    this.#stream = stream;
  }

  /** Sends what comes after the event of that number, and ends the stream with the record. */
  follow(after: number): void {
    this.#position = startOf(this.#record, after);
    this.#stopListening = this.#record.onChange(() => this.#send());
    this.#send();
  }

  /** The reader has left. */
  close(): void {
    this.#stopListening();
  }

  /** At once where there is room, so that an end is sent before a server closes its streams. */
  #send(): void {
    const [record, stream] = [this.#record, this.#stream];
    if (this.#isWaiting) return;
    while (stream.hasRoom()) {
      // The event is not kept any more. The reader requests it again, and gets the problem
      // `compacted`.
      if (this.#position < record.forgotten) return stream.end();
      const events = record.read(this.#position, BATCH);
      for (const json of events) stream.send(numbered(json, (this.#position += 1)));
      if (events.length === 0) return record.isOver ? stream.end() : undefined;
    }
    void this.#sendWhenDrained();
  }

  async #sendWhenDrained(): Promise<void> {
    this.#isWaiting = true;
    const isOpen = await this.#stream.drained();
    this.#isWaiting = false;
    if (isOpen) this.#send();
  }
}

/** A reader that knows more than what was kept when the server died gets the end once more. */
function startOf({ length, startOfEnd, isOver }: RunRecord, after: number): number {
  return isOver && after > startOfEnd ? Math.max(startOfEnd, 0) : Math.min(after, length);
}

function numbered(json: string, number: number): Frame {
  return ENCODER.encode(`id: ${number}\ndata: ${json}\n\n`);
}
