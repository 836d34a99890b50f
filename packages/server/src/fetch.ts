// The entry `@opstate/server/fetch`: the server for hosts that are no Node process.

export { createFetchServer } from "./fetch-server.ts";
export type { FetchServer } from "./fetch-server.ts";
export type { ServerOptions } from "./server-options.ts";
