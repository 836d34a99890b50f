// The same page with what its first thread loads: HTTP, and how tabs share a connection. In one
// bundle, which is a little smaller than the parts that a page gets.
export { createAgentStateContext, createClient, defineState } from "./guide.ts";
export { overHttp } from "../../packages/client/dist/connection/http/over-http.js";
export { tabsOfOrigin } from "../../packages/client/dist/tabs-of-origin.js";
