// An event stream as the reader of followers.

import type { EventFrame } from "../http/event-frame.ts";
import type { EventStream } from "../http/event-stream.ts";
import type { Frame } from "../http/sink.ts";
import type { FrameReader } from "./thread-follower.ts";

/** `bytesOf` says which bytes of a frame belong on this stream. */
export function streamReader(stream: EventStream, bytesOf: (frame: EventFrame) => Frame): FrameReader {
  return {
    hasRoom: () => stream.hasRoom(),
    drained: () => stream.drained(),
    send: (frame) => stream.send(bytesOf(frame)),
    disconnect: () => stream.disconnect(),
  };
}
