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
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

export type Frame = Uint8Array;

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
  /** The reader has left. Not called after `end` or `destroy`. */
  onLeft(): void;
}

export function bodySink(headers: Headers, { onRead, onLeft }: SinkEvents): Sink {
  let controller: ReadableStreamDefaultController<Frame> | undefined;
  const body = new ReadableStream<Frame>(
    {
      start(opened) {
        controller = opened;
      },
      pull: onRead,
      cancel: onLeft,
    },
    // `pull` runs after every read, however much is queued. `backlog` has the real limit.
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

export function socketSink(outgoing: ServerResponse, headers: Headers, { onRead, onLeft }: SinkEvents): Sink {
  /** Slices that Node has not got yet. Node reports "drain" only for all that it has. */
  let queue: Frame[] = [];
  let queuedBytes = 0;
  let isFull = false;
  let isEnding = false;

  function flush(): void {
    let written = 0;
    for (const slice of queue) {
      if (isFull) break;
      written += 1;
      queuedBytes -= slice.length;
      isFull = !outgoing.write(slice);
    }
    queue = queue.slice(written);
    if (isEnding && queue.length === 0) outgoing.end();
  }

  outgoing.on("drain", () => {
    isFull = false;
    flush();
    onRead();
  });
  outgoing.on("error", () => {});
  outgoing.on("close", onLeft);
  outgoing.writeHead(200, Object.fromEntries(headers));
  outgoing.flushHeaders();
  if (outgoing.closed) queueMicrotask(onLeft);
  return {
    response: RESPONSE_ALREADY_SENT,
    backlog: () => queuedBytes + outgoing.writableLength,
    write(frame) {
      if (!isFull && frame.length <= SLICE_SIZE) {
        isFull = !outgoing.write(frame);
        return;
      }
      for (let at = 0; at < frame.length; at += SLICE_SIZE) queue.push(frame.subarray(at, at + SLICE_SIZE));
      queuedBytes += frame.length;
      flush();
    },
    end() {
      isEnding = true;
      flush();
    },
    destroy() {
      queue = [];
      outgoing.destroy();
    },
  };
}
