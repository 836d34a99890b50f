// The same page with what speaks HTTP, which loads beside it with its first thread: all that it
// needs until its first edit.
export { createAgentStateContext, createClient, defineState } from "./guide.ts";
export { overHttp } from "../../packages/client/dist/connection/http/over-http.js";
