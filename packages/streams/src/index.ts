// The public names: the server, the store in memory, the port of stores, and following a stream.

export { createStreamServer } from "./create-stream-server.ts";
export type { StreamServer, StreamServerLimits, StreamServerOptions } from "./create-stream-server.ts";
export type { AuthorizeStreams, StreamAccess, StreamRight } from "./http/access.ts";
export type { RevokedStreams } from "./http/live-readers.ts";
export type { StreamListening, StreamListenOptions } from "./listen.ts";
export { memoryStreams } from "./memory/memory-streams.ts";
export type { MemoryStreamsOptions } from "./memory/memory-streams.ts";
export { follow, readNext } from "./store/follow.ts";
export type { FollowRange } from "./store/follow.ts";
export type {
  Appended,
  Created,
  Deleted,
  ForkSource,
  Found,
  Missing,
  NewStream,
  ProducerStamp,
  Read,
  StreamAppend,
  StreamInfo,
  StreamLimits,
  StreamPage,
  StreamRange,
  StreamStore,
} from "./store/store.ts";
