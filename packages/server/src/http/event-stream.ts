// Server-sent events: frames in, bytes out, with a limit on what may queue for a slow reader.
//
// Invariants:
// - A frame is bytes. Any number of streams may share it.
// - An open stream sends at least one comment per heartbeat, unless its backlog is full.
// - `onHeartbeat` runs at every heartbeat, so that the opener can check the reader's rights again.
// - A reader with a full backlog that reads no slice (64 KB) for a minute is disconnected. A reader
//   that goes on reading is not, however slow it is.
// - All streams end when the server closes.

import type { ServerResponse } from "node:http";
import { BodySink, type Frame, type Sink, SocketSink } from "./sink.ts";

const HEARTBEAT_INTERVAL = 15_000;

/**
 * An interval is divided into this many turns, and each stream has its heartbeat in one of them.
 * So the checks of all streams are spread over the interval.
 */
const HEARTBEAT_TURNS = 15;

/** Heartbeats that a reader with a full backlog may miss. */
const MISSED_LIMIT = 4;

/** Bytes that may queue for one reader. */
const BACKLOG_LIMIT = 256 * 1024;

const ENCODER = new TextEncoder();
const COMMENT = ENCODER.encode(":\n\n");

/** One event. `data` is one line, since JSON has no raw line breaks; lines end in \n only. */
export function encodeEvent({
  event,
  id,
  data,
}: {
  readonly event?: string;
  readonly id?: number | undefined;
  readonly data: unknown;
}): Frame {
  const head = `${event === undefined ? "" : `event: ${event}\n`}${id === undefined ? "" : `id: ${id}\n`}`;
  return ENCODER.encode(`${head}data: ${JSON.stringify(data)}\n\n`);
}

/** The response that becomes a stream. */
export interface StreamTarget {
  /** Headers that are set already. */
  readonly headers: Headers;
  /** Node's own response, where this package listens itself. */
  readonly outgoing: ServerResponse | undefined;
}

/** All streams of a server, and their heartbeats. */
export class EventStreams {
  readonly #streams = new Map<EventStream, { readonly turn: number; readonly onHeartbeat: () => void }>();
  #turn = 0;
  #opened = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #hasEnded = false;

  /**
   * `onClose` is called once: when the reader left or was disconnected, or the stream ended.
   * `onHeartbeat` is called at each heartbeat until then.
   */
  open(target: StreamTarget, onClose: () => void, onHeartbeat: () => void = () => {}): EventStream {
    const stream = new EventStream(target, () => {
      this.#remove(stream);
      onClose();
    });
    this.#opened += 1;
    this.#streams.set(stream, { turn: this.#opened % HEARTBEAT_TURNS, onHeartbeat });
    this.#timer ??= setInterval(() => this.#nextTurn(), HEARTBEAT_INTERVAL / HEARTBEAT_TURNS);
    // The request was already under way when the server closed.
    if (this.#hasEnded) stream.end();
    return stream;
  }

  /** Ends every stream, and every stream that is opened later. */
  endAll(): void {
    this.#hasEnded = true;
    for (const stream of [...this.#streams.keys()]) stream.end();
  }

  #nextTurn(): void {
    this.#turn = (this.#turn + 1) % HEARTBEAT_TURNS;
    for (const [stream, { turn, onHeartbeat }] of [...this.#streams]) {
      if (turn !== this.#turn) continue;
      onHeartbeat();
      stream.heartbeat();
    }
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The stream of one reader. */
export class EventStream {
  readonly #sink: Sink;
  readonly #onClose: () => void;
  #isOpen = true;
  #waiters: (() => void)[] = [];
  #missed = 0;

  constructor({ headers, outgoing }: StreamTarget, onClose: () => void) {
    this.#onClose = onClose;
    const all = new Headers([
      ...headers,
      ["content-type", "text/event-stream; charset=utf-8"],
      ["cache-control", "no-store, no-transform"],
      ["x-accel-buffering", "no"],
    ]);
    const events = { onRead: () => this.#onRead(), onLeft: () => this.#close() };
    this.#sink = outgoing ? new SocketSink(outgoing, all, events) : new BodySink(all, events);
  }

  /** What the route answers with. */
  get response(): Response {
    return this.#sink.response;
  }

  /** Whether the backlog is below its limit; false on a stream that has ended. */
  hasRoom(): boolean {
    return this.#isOpen && this.#sink.backlog() < BACKLOG_LIMIT;
  }

  /** Resolves to true when there is room, or to false when the stream has ended. */
  async drained(): Promise<boolean> {
    if (!this.#isOpen || this.hasRoom()) return this.#isOpen;
    await new Promise<void>((resolve) => this.#waiters.push(resolve));
    return this.drained();
  }

  /** Queues a frame. A stream that has ended ignores it. */
  send(frame: Frame): void {
    if (this.#isOpen) this.#sink.write(frame);
  }

  /** Sends a comment, or counts the heartbeats that a reader with a full backlog missed. */
  heartbeat(): void {
    if (this.hasRoom()) return this.send(COMMENT);
    this.#missed += 1;
    if (this.#missed > MISSED_LIMIT) this.disconnect();
  }

  /** Ends the stream after the queued frames. */
  end(): void {
    if (this.#isOpen) this.#sink.end();
    this.#close();
  }

  /**
   * Disconnects the reader and drops the queued frames. The reader may connect again and resume.
   */
  disconnect(): void {
    if (this.#isOpen) this.#sink.destroy();
    this.#close();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#wake();
    this.#onClose();
  }

  #onRead(): void {
    this.#missed = 0;
    this.#wake();
  }

  #wake(): void {
    const woken = this.#waiters;
    this.#waiters = [];
    for (const resolve of woken) resolve();
  }
}
