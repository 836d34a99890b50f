// Where the bytes of an event stream go: into the body of a Response, or directly to Node's socket.
//
// Invariants of both:
// - They accept a frame at once and pass it on in slices. So the progress of a slow reader shows
//   even within one large frame.
// - They know how many bytes the reader has not read.
//
// The direct way costs a third less per frame. Only this package's own `listen` can use it: the
// middleware of another host must see a Response.

import type { ServerResponse } from "node:http";

export type Frame = Uint8Array;

/** Slices that are passed on before those that wait are moved. */
const MOVE_AFTER = 64;

/** Bytes that are passed on at a time, and so the smallest progress that can be seen. */
const SLICE_SIZE = 64 * 1024;

export interface Sink {
  /** What the route answers with. */
  readonly response: Response;
  /** Bytes that the reader has not read. */
  backlog(): number;
  write(frame: Frame): void;
  /** Ends after the written frames. */
  end(): void;
  /** Disconnects the reader and drops what it has not read. */
  destroy(): void;
}

export interface SinkEvents {
  /** The reader has read a slice, or everything that was written. */
  onRead(): void;
  /** Everything was handed over to the reader, the end too. */
  onDelivered(): void;
  /** The reader has left, before or after the end. */
  onLeft(): void;
}

export class BodySink implements Sink {
  readonly response: Response;
  readonly #queue = new Slices();
  #controller: ReadableStreamDefaultController<Frame> | undefined;
  readonly #onDelivered: () => void;
  /** Ends the reader's wait for a slice, while it waits. */
  #passOn: (() => void) | undefined;
  #isEnding = false;

  constructor(headers: Headers, { onRead, onDelivered, onLeft }: SinkEvents) {
    this.#onDelivered = onDelivered;
    const body = new ReadableStream<Frame>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        // A reader that asks has read what it got before.
        pull: () => {
          onRead();
          return new Promise<void>((resolve) => {
            this.#passOn = resolve;
            this.#flush();
          });
        },
        cancel: onLeft,
      },
      // Nothing waits in the stream, whose own count of bytes differs between runtimes.
      { highWaterMark: 0 },
    );
    this.response = new Response(body, { headers });
  }

  backlog(): number {
    return this.#queue.bytes;
  }

  write(frame: Frame): void {
    this.#queue.add(frame);
    this.#flush();
  }

  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  destroy(): void {
    this.#queue.clear();
    this.#controller?.error(new Error("The reader was too slow."));
  }

  /** Passes on one slice to a reader that waits. */
  #flush(): void {
    const passOn = this.#passOn;
    const slice = passOn && this.#queue.take();
    if (slice) this.#controller?.enqueue(slice);
    // A reader that does not wait may come later to an end.
    else if (this.#isEnding && this.#queue.bytes === 0) this.#close();
    else return;
    this.#passOn = undefined;
    passOn?.();
  }

  #close(): void {
    this.#controller?.close();
    this.#onDelivered();
  }
}

/** Frames that wait, in slices. */
class Slices {
  #slices: Frame[] = [];
  #taken = 0;
  bytes = 0;

  add(frame: Frame): void {
    for (let at = 0; at < frame.length; at += SLICE_SIZE) this.#slices.push(frame.subarray(at, at + SLICE_SIZE));
    this.bytes += frame.length;
  }

  take(): Frame | undefined {
    const slice = this.#slices[this.#taken];
    if (slice === undefined) return undefined;
    this.#taken += 1;
    this.bytes -= slice.length;
    if (this.#taken < MOVE_AFTER) return slice;
    // Now and then, so that a long queue is not moved for each slice.
    this.#slices = this.#slices.slice(this.#taken);
    this.#taken = 0;
    return slice;
  }

  clear(): void {
    this.#slices = [];
    this.#taken = 0;
    this.bytes = 0;
  }
}

/** Frames as chunks of HTTP, each made once for all who read it. */
const CHUNKS = new WeakMap<Frame, Buffer>();
const LINE_BREAK = "\r\n";

function chunkOf(frame: Frame): Buffer {
  const known = CHUNKS.get(frame);
  if (known !== undefined) return known;
  const head = Buffer.from(frame.length.toString(16) + LINE_BREAK);
  const chunk = Buffer.concat([head, frame, Buffer.from(LINE_BREAK)]);
  CHUNKS.set(frame, chunk);
  return chunk;
}

export class SocketSink implements Sink {
  /** For middleware to look at: `listen` sends none, for the head went to the socket. */
  readonly response: Response = new Response(null);
  readonly #outgoing: ServerResponse;
  /** Slices that Node has not got yet. Node reports "drain" only for all that it has. */
  #queue: Frame[] = [];
  #queuedBytes = 0;
  #isFull = false;
  #isEnding = false;
  /** The head went with the first frame: from then on chunks may go to the socket as they are. */
  #hasBegun = false;
  readonly #onDrain: () => void;

  constructor(outgoing: ServerResponse, headers: Headers, { onRead, onDelivered, onLeft }: SinkEvents) {
    this.#outgoing = outgoing;
    this.#onDrain = () => {
      this.#isFull = false;
      this.#flush();
      onRead();
    };
    outgoing.on("drain", this.#onDrain);
    outgoing.on("error", () => {});
    outgoing.on("finish", onDelivered);
    outgoing.on("close", onLeft);
    outgoing.writeHead(200, Object.fromEntries(headers));
    // With the first frame, where that is written at once.
    process.nextTick(() => outgoing.flushHeaders());
    if (outgoing.closed) queueMicrotask(onLeft);
  }

  backlog(): number {
    return this.#queuedBytes + this.#outgoing.writableLength;
  }

  write(frame: Frame): void {
    if (!this.#isFull && frame.length <= SLICE_SIZE) {
      this.#isFull = !this.#pass(frame);
      return;
    }
    for (let at = 0; at < frame.length; at += SLICE_SIZE) this.#queue.push(frame.subarray(at, at + SLICE_SIZE));
    this.#queuedBytes += frame.length;
    this.#flush();
  }

  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  destroy(): void {
    this.#queue = [];
    this.#outgoing.destroy();
  }

  /**
   * One write for each reader, at once. Node makes three of a chunk, and makes them later, where
   * nobody sees how long thousands take.
   */
  #pass(frame: Frame): boolean {
    const { socket, chunkedEncoding } = this.#outgoing;
    if (!this.#hasBegun || socket === null || !chunkedEncoding) {
      this.#hasBegun = true;
      return this.#outgoing.write(frame);
    }
    const hasRoom = socket.write(chunkOf(frame));
    if (!hasRoom) socket.once("drain", this.#onDrain);
    return hasRoom;
  }

  #flush(): void {
    let written = 0;
    for (const slice of this.#queue) {
      if (this.#isFull) break;
      written += 1;
      this.#queuedBytes -= slice.length;
      this.#isFull = !this.#outgoing.write(slice);
    }
    this.#queue = this.#queue.slice(written);
    if (this.#isEnding && this.#queue.length === 0) this.#outgoing.end();
  }
}
