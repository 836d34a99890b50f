// What reaches a server over HTTP. A client loads it with its first thread.

export { httpCarrier } from "./http-carrier.ts";
export { Requester } from "./request.ts";
