// Server-sent events: frames in, bytes out, with a bound on what a slow reader may leave waiting.
//
// Invariants: a frame is bytes that any number of streams may share; an open stream says something
// at least every heartbeat, unless its reader is behind, and hears of each heartbeat, so that
// whoever opened it can ask again whether it may go on; a reader that took no slice (64 KB) of a
// full backlog for a minute is cut, and one that goes on taking is not, however slow; all streams
// end when the server closes.

import type { ServerResponse } from "node:http";
import { bodySink, type Frame, socketSink } from "./sink.ts";

const HEARTBEAT_INTERVAL = 15_000;

/**
 * Streams have their heartbeats in turn, this many turns in an interval: what is asked at each does
 * not come all at once.
 */
const TURNS = 15;

/** Heartbeats that a reader with a full backlog may miss. */
const PATIENCE = 4;

/** Bytes that may wait for one reader. */
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
  /** Resolves when there is room (true) or the stream has ended (false). */
  room(): Promise<boolean>;
  /** Queues a frame; nothing happens on a stream that has ended. */
  send(frame: Frame): void;
  /** Ends the stream behind what is queued. */
  end(): void;
  /** Drops the reader with all that is queued; it may come back and resume. */
  cut(): void;
}

/**
 * The answer that a stream becomes: headers that are set already, and Node's own response where
 * this package listens itself.
 */
export interface StreamTarget {
  readonly headers: Headers;
  readonly outgoing: ServerResponse | undefined;
}

export interface EventStreams {
  /**
   * `onClose` is called once: when the reader left, was cut, or the stream ended. `onBeat` is
   * called at each heartbeat until then.
   */
  open(target: StreamTarget, onClose: () => void, onBeat?: () => void): EventStream;
  /** Ends every stream, and those that are opened later. */
  endAll(): void;
}

export function createEventStreams(): EventStreams {
  const beats = new Map<EventStream, { readonly turn: number; readonly beat: () => void }>();
  let turn = 0;
  let opened = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  let ended = false;

  function beatTurn(): void {
    turn = (turn + 1) % TURNS;
    for (const each of [...beats.values()]) if (each.turn === turn) each.beat();
  }

  function forget(stream: EventStream): void {
    beats.delete(stream);
    if (beats.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    open(target, onClose, onBeat = () => {}) {
      const { stream, beat } = openStream(target, () => {
        forget(stream);
        onClose();
      });
      opened += 1;
      beats.set(stream, {
        turn: opened % TURNS,
        beat() {
          onBeat();
          beat();
        },
      });
      timer ??= setInterval(beatTurn, HEARTBEAT_INTERVAL / TURNS);
      // A request that was on its way when the server closed.
      if (ended) stream.end();
      return stream;
    },
    endAll() {
      ended = true;
      for (const stream of [...beats.keys()]) stream.end();
    },
  };
}

function openStream(
  { headers, outgoing }: StreamTarget,
  onClose: () => void,
): { readonly stream: EventStream; beat(): void } {
  let open = true;
  let waiting: (() => void)[] = [];
  let missed = 0;

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  }

  function close(): void {
    if (!open) return;
    open = false;
    wake();
    onClose();
  }

  function onTaken(): void {
    missed = 0;
    wake();
  }

  const all = new Headers([
    ...headers,
    ["content-type", "text/event-stream; charset=utf-8"],
    ["cache-control", "no-store, no-transform"],
    ["x-accel-buffering", "no"],
  ]);
  const events = { onTaken, onLeft: close };
  const sink = outgoing ? socketSink(outgoing, all, events) : bodySink(all, events);

  const stream: EventStream = {
    response: sink.response,
    hasRoom: () => open && sink.backlog() < BACKLOG_LIMIT,
    async room() {
      if (!open || stream.hasRoom()) return open;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return stream.room();
    },
    send(frame) {
      if (open) sink.write(frame);
    },
    end() {
      if (open) sink.end();
      close();
    },
    cut() {
      if (open) sink.destroy();
      close();
    },
  };

  function beat(): void {
    if (stream.hasRoom()) return stream.send(comment);
    missed += 1;
    if (missed > PATIENCE) stream.cut();
  }

  return { stream, beat };
}
