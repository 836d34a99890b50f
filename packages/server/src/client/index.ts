export { httpTransport } from "./http-transport.ts";
export type { HttpTransportOptions } from "./http-transport.ts";
export { RequestError } from "./request.ts";
export type { RequestOptions } from "./request.ts";
export { threadClient } from "./thread-client.ts";
export type { BranchClient, CallOptions, ThreadClient, UndoCallOptions } from "./thread-client.ts";
