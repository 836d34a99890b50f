// Where the bytes of an event stream go: into the body of a Response, or straight to Node's socket.
//
// Both take frames at once, hand them on in slices, so that a reader is seen to take a large one,
// and say how much it has not taken. The straight way costs a third less per frame, and only this
// package's own `listen` can use it: another host's middleware must see a Response.

import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

export type Frame = Uint8Array;

/** Bytes that are handed on at a time: of less, nobody sees whether it was taken. */
const SLICE_SIZE = 64 * 1024;

export interface Sink {
  /** What the route answers with. */
  readonly response: Response;
  /** Bytes that wait for the reader. */
  backlog(): number;
  write(frame: Frame): void;
  /** Ends behind what was written. */
  end(): void;
  /** Drops the reader, and what was written but not taken. */
  destroy(): void;
}

export interface SinkEvents {
  /** The reader took something: a slice, or all there was. */
  onTaken(): void;
  /** The reader has left. Not called after `end` or `destroy`. */
  onLeft(): void;
}

export function bodySink(headers: Headers, { onTaken, onLeft }: SinkEvents): Sink {
  let controller: ReadableStreamDefaultController<Frame> | undefined;
  const body = new ReadableStream<Frame>(
    {
      start(opened) {
        controller = opened;
      },
      pull: onTaken,
      cancel: onLeft,
    },
    // Pulled after every read, whatever still waits: the stream's own limit is in `backlog`.
    { highWaterMark: Number.MAX_SAFE_INTEGER, size: (frame) => frame.length },
  );
  return {
    response: new Response(body, { headers }),
    backlog: () => Number.MAX_SAFE_INTEGER - (controller?.desiredSize ?? Number.MAX_SAFE_INTEGER),
    write(frame) {
      for (let at = 0; at < frame.length; at += SLICE_SIZE) controller?.enqueue(frame.subarray(at, at + SLICE_SIZE));
    },
    end: () => controller?.close(),
    destroy: () => controller?.error(new Error("The reader was too slow.")),
  };
}

export function socketSink(outgoing: ServerResponse, headers: Headers, { onTaken, onLeft }: SinkEvents): Sink {
  /** Slices that Node has not been given: it says only of all it has that it is out. */
  let waiting: Frame[] = [];
  let waitingBytes = 0;
  let isFull = false;
  let isEnding = false;

  function handOn(): void {
    let given = 0;
    for (const slice of waiting) {
      if (isFull) break;
      given += 1;
      waitingBytes -= slice.length;
      isFull = !outgoing.write(slice);
    }
    waiting = waiting.slice(given);
    if (isEnding && waiting.length === 0) outgoing.end();
  }

  outgoing.on("drain", () => {
    isFull = false;
    handOn();
    onTaken();
  });
  outgoing.on("error", () => {});
  outgoing.on("close", onLeft);
  outgoing.writeHead(200, Object.fromEntries(headers));
  outgoing.flushHeaders();
  if (outgoing.closed) queueMicrotask(onLeft);
  return {
    response: RESPONSE_ALREADY_SENT,
    backlog: () => waitingBytes + outgoing.writableLength,
    write(frame) {
      if (!isFull && frame.length <= SLICE_SIZE) {
        isFull = !outgoing.write(frame);
        return;
      }
      for (let at = 0; at < frame.length; at += SLICE_SIZE) waiting.push(frame.subarray(at, at + SLICE_SIZE));
      waitingBytes += frame.length;
      handOn();
    },
    end() {
      isEnding = true;
      handOn();
    },
    destroy() {
      waiting = [];
      outgoing.destroy();
    },
  };
}
