// Server-sent events: frames in, bytes out, with a limit on what may queue for a slow reader.
//
// Invariants:
// - A frame is bytes (`EventFrame`). Any number of streams may share it.
// - An open stream sends at least one comment per heartbeat, unless its backlog is full.
// - A reader with a full backlog that reads no slice (64 KB) for a minute is disconnected. A reader
//   that goes on reading is not, however slow it is.
// - All streams end when the server closes.

import type { ServerResponse } from "node:http";
import type { Actor } from "@opstate/core";
import { retryLine } from "./event-frame.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { sharedRetry, usualRetry } from "./retry-delay.ts";
import { BodySink, type Frame, type Sink, SocketSink } from "./sink.ts";

/** Heartbeats that a reader with a full backlog may miss. */
const MISSED_LIMIT = 4;

/** Bytes that may queue for one reader. */
const BACKLOG_LIMIT = 256 * 1024;

const ENCODER = new TextEncoder();
const COMMENT = ENCODER.encode(":\n\n");

/** The response that becomes a stream. */
export interface StreamTarget {
  /** Headers that are set already. */
  readonly headers: Headers;
  /** Node's own response, where this package listens itself. */
  readonly outgoing: ServerResponse | undefined;
  /** Of the request: where the host says by it that the reader left. */
  readonly signal?: AbortSignal;
  readonly about: StreamFacts;
}

/** Whose stream it is, for those who observe. */
export interface StreamFacts {
  readonly requestId: string;
  /** The pattern of its path. */
  readonly route: string;
  readonly actor: Actor;
}

/** Why a stream closed: the reader left, the server ended it, or the reader did not read. */
export type CloseReason = "left" | "ended" | "cut";

export interface StreamObserver {
  readonly onOpened: (about: StreamFacts) => void;
  readonly onClosed: (about: StreamFacts, reason: CloseReason, milliseconds: number) => void;
}

/** What the opener of a stream is notified of. */
export interface StreamEvents {
  /** Called once: when the reader left or was disconnected, or the stream ended. */
  readonly onClose: () => void;
  /** Called at each heartbeat until then. */
  readonly onHeartbeat?: () => void;
}

/** All streams of a server. */
export class EventStreams {
  /** Whether the reader comes back when its stream ends, by stream. */
  readonly #streams = new Map<EventStream, boolean>();
  readonly #heartbeats: Heartbeats;
  readonly #observer: StreamObserver | undefined;
  #hasEnded = false;

  constructor(heartbeats: Heartbeats, observer?: StreamObserver) {
    this.#heartbeats = heartbeats;
    this.#observer = observer;
  }

  /** A stream that is not repeated, such as that of a run. */
  open(target: StreamTarget, events: StreamEvents): EventStream {
    return this.#open(target, events, false);
  }

  /** A stream that its reader opens again when it ends. It begins with the time to wait then. */
  openLasting(target: StreamTarget, events: StreamEvents): EventStream {
    const stream = this.#open(target, events, true);
    stream.send(retryLine(usualRetry()));
    return stream;
  }

  /** Ends the streams that last. Their readers are to come back one after the other. */
  endLasting(): void {
    const lasting = [...this.#streams].flatMap(([stream, comesBack]) => (comesBack ? [stream] : []));
    for (const stream of lasting) {
      if (stream.hasRoom()) stream.send(retryLine(sharedRetry(lasting.length)));
      stream.end();
    }
  }

  /** Ends every stream, and every stream that is opened later. */
  endAll(): void {
    this.#hasEnded = true;
    this.endLasting();
    for (const stream of this.#streams.keys()) stream.end();
  }

  #open(target: StreamTarget, { onClose, onHeartbeat }: StreamEvents, comesBack: boolean): EventStream {
    const observer = this.#observer;
    const openedAt = observer === undefined ? 0 : performance.now();
    const stream = new EventStream(target, (reason) => {
      this.#streams.delete(stream);
      stopHeartbeat();
      onClose();
      observer?.onClosed(target.about, reason, performance.now() - openedAt);
    });
    observer?.onOpened(target.about);
    const stopHeartbeat = this.#heartbeats.add(() => {
      onHeartbeat?.();
      stream.heartbeat();
    });
    this.#streams.set(stream, comesBack);
    // The request was already under way when the server closed.
    if (this.#hasEnded) stream.end();
    return stream;
  }
}

/** The stream of one reader. */
export class EventStream {
  readonly #sink: Sink;
  readonly #onClose: (reason: CloseReason) => void;
  #isOpen = true;
  /** Resolves to whether the reader got everything, the end too. */
  readonly delivered: Promise<boolean>;
  #setDelivered: (isDelivered: boolean) => void = () => {};
  #waiters: (() => void)[] = [];
  #missed = 0;

  constructor({ headers, outgoing, signal }: Omit<StreamTarget, "about">, onClose: (reason: CloseReason) => void) {
    this.#onClose = onClose;
    const all = new Headers([
      ...headers,
      ["content-type", "text/event-stream; charset=utf-8"],
      ["cache-control", "no-store, no-transform"],
      ["x-accel-buffering", "no"],
    ]);
    this.delivered = new Promise((resolve) => {
      this.#setDelivered = resolve;
    });
    const events = {
      onRead: () => this.#onRead(),
      onDelivered: () => this.#setDelivered(true),
      onLeft: () => this.#leave(),
    };
    this.#sink = outgoing ? new SocketSink(outgoing, all, events) : new BodySink(all, events);
    // In workerd a body is not cancelled before the next write to a reader that left.
    if (!outgoing) signal?.addEventListener("abort", () => this.#leave(), { once: true });
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
    this.#close("ended");
  }

  /** Sends a last frame and ends. A reader with a full backlog gets nothing more. */
  endWith(frame: Frame): void {
    if (!this.hasRoom()) return this.disconnect();
    this.send(frame);
    this.end();
  }

  /**
   * Disconnects the reader and drops the queued frames. The reader may connect again and resume.
   */
  disconnect(): void {
    if (this.#isOpen) this.#sink.destroy();
    this.#setDelivered(false);
    this.#close("cut");
  }

  #leave(): void {
    this.#setDelivered(false);
    this.#close("left");
  }

  #close(reason: CloseReason): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#wake();
    this.#onClose(reason);
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
