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
import { bodySink, type Frame, socketSink } from "./sink.ts";

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

const encoder = new TextEncoder();
const comment = encoder.encode(":\n\n");

/** One event. `data` is one line, since JSON has no raw line breaks; lines end in \n only. */
export function encodeEvent({
  event,
  id,
  data,
}: {
  readonly event?: string;
  readonly id?: number;
  readonly data: unknown;
}): Frame {
  const head = `${event === undefined ? "" : `event: ${event}\n`}${id === undefined ? "" : `id: ${id}\n`}`;
  return encoder.encode(`${head}data: ${JSON.stringify(data)}\n\n`);
}

export interface EventStream {
  /** What the route answers with. */
  readonly response: Response;
  /** Whether the backlog is below its limit; false on a stream that has ended. */
  hasRoom(): boolean;
  /** Resolves to true when there is room, or to false when the stream has ended. */
  drained(): Promise<boolean>;
  /** Queues a frame. A stream that has ended ignores it. */
  send(frame: Frame): void;
  /** Ends the stream after the queued frames. */
  end(): void;
  /**
   * Disconnects the reader and drops the queued frames. The reader may connect again and resume.
   */
  disconnect(): void;
}

/** The response that becomes a stream. */
export interface StreamTarget {
  /** Headers that are set already. */
  readonly headers: Headers;
  /** Node's own response, where this package listens itself. */
  readonly outgoing: ServerResponse | undefined;
}

export interface EventStreams {
  /**
   * `onClose` is called once: when the reader left or was disconnected, or the stream ended.
   * `onHeartbeat` is called at each heartbeat until then.
   */
  open(target: StreamTarget, onClose: () => void, onHeartbeat?: () => void): EventStream;
  /** Ends every stream, and every stream that is opened later. */
  endAll(): void;
}

export function createEventStreams(): EventStreams {
  const streams = new Map<EventStream, { readonly turn: number; readonly heartbeat: () => void }>();
  let turn = 0;
  let opened = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  let ended = false;

  function nextTurn(): void {
    turn = (turn + 1) % HEARTBEAT_TURNS;
    for (const each of [...streams.values()]) if (each.turn === turn) each.heartbeat();
  }

  function remove(stream: EventStream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    open(target, onClose, onHeartbeat = () => {}) {
      const { stream, heartbeat } = openStream(target, () => {
        remove(stream);
        onClose();
      });
      opened += 1;
      streams.set(stream, {
        turn: opened % HEARTBEAT_TURNS,
        heartbeat() {
          onHeartbeat();
          heartbeat();
        },
      });
      timer ??= setInterval(nextTurn, HEARTBEAT_INTERVAL / HEARTBEAT_TURNS);
      // The request was already under way when the server closed.
      if (ended) stream.end();
      return stream;
    },
    endAll() {
      ended = true;
      for (const stream of [...streams.keys()]) stream.end();
    },
  };
}

function openStream(
  { headers, outgoing }: StreamTarget,
  onClose: () => void,
): { readonly stream: EventStream; heartbeat(): void } {
  let open = true;
  let waiters: (() => void)[] = [];
  let missed = 0;

  function wake(): void {
    const woken = waiters;
    waiters = [];
    for (const resolve of woken) resolve();
  }

  function close(): void {
    if (!open) return;
    open = false;
    wake();
    onClose();
  }

  function onRead(): void {
    missed = 0;
    wake();
  }

  const all = new Headers([
    ...headers,
    ["content-type", "text/event-stream; charset=utf-8"],
    ["cache-control", "no-store, no-transform"],
    ["x-accel-buffering", "no"],
  ]);
  const events = { onRead, onLeft: close };
  const sink = outgoing ? socketSink(outgoing, all, events) : bodySink(all, events);

  const stream: EventStream = {
    response: sink.response,
    hasRoom: () => open && sink.backlog() < BACKLOG_LIMIT,
    async drained() {
      if (!open || stream.hasRoom()) return open;
      await new Promise<void>((resolve) => waiters.push(resolve));
      return stream.drained();
    },
    send(frame) {
      if (open) sink.write(frame);
    },
    end() {
      if (open) sink.end();
      close();
    },
    disconnect() {
      if (open) sink.destroy();
      close();
    },
  };

  function heartbeat(): void {
    if (stream.hasRoom()) return stream.send(comment);
    missed += 1;
    if (missed > MISSED_LIMIT) stream.disconnect();
  }

  return { stream, heartbeat };
}
