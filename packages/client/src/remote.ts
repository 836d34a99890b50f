// The entry `@opstate/client/remote`: a thread of a server for code that runs in another process.

export { remoteThread } from "./remote/remote-thread.ts";
export type { Credentials, RemoteThread, RemoteThreadOptions } from "./remote/remote-thread.ts";
export type { Decider } from "./remote/decider.ts";
