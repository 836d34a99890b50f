// An event stream as the reader of followers.

import type { EventFrame, JoinedFrames } from "../http/event-frame.ts";
import type { EventStream } from "../http/event-stream.ts";
import type { Frame } from "../http/sink.ts";
import type { FrameReader } from "./thread-follower.ts";

/** `bytesOf` says which bytes of a frame belong on this stream. */
export function streamReader(stream: EventStream, bytesOf: (frame: EventFrame | JoinedFrames) => Frame): FrameReader {
  return {
    hasRoom: () => stream.hasRoom(),
    drained: () => stream.drained(),
    send: (frame) => stream.send(bytesOf(frame)),
    sendJoined: (frames) => stream.send(bytesOf(frames)),
    disconnect: () => stream.disconnect(),
  };
}
