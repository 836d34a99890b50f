// Where the bytes of an event stream go: into the body of a Response, or straight to Node's socket.
//
// Both take frames at once and say how much the reader has not taken. The straight way costs a third less per frame, and only this
// package's own `listen` can use it: another host's middleware must see a Response.

import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

export type Frame = Uint8Array;

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
  /** The reader took something. */
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
    write: (frame) => controller?.enqueue(frame),
    end: () => controller?.close(),
    destroy: () => controller?.error(new Error("The reader was too slow.")),
  };
}

export function socketSink(outgoing: ServerResponse, headers: Headers, { onTaken, onLeft }: SinkEvents): Sink {
  outgoing.on("drain", onTaken);
  outgoing.on("error", () => {});
  outgoing.on("close", onLeft);
  outgoing.writeHead(200, Object.fromEntries(headers));
  outgoing.flushHeaders();
  if (outgoing.closed) queueMicrotask(onLeft);
  return {
    response: RESPONSE_ALREADY_SENT,
    backlog: () => outgoing.writableLength,
    write: (frame) => void outgoing.write(frame),
    end: () => void outgoing.end(),
    destroy: () => void outgoing.destroy(),
  };
}
