// The entry `@opstate/server/client`: one thread of a server, as a transport and as calls. A page
// with more than one thread, or that keeps its edits, takes `createClient` of `@opstate/client`.

export { RequestError } from "@opstate/client/carriers";
export { httpTransport } from "./http-transport.ts";
export type { HttpTransportOptions } from "./http-transport.ts";
export type { ThreadRequestOptions as RequestOptions } from "./request-options.ts";
export { threadClient } from "./thread-client.ts";
export type { BranchClient, CallOptions, ThreadClient, UndoCallOptions } from "./thread-client.ts";
