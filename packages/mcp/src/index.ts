export type { McpCaller, McpRight } from "./call/caller.ts";
export { mcpEndpoint } from "./endpoint.ts";
export type { McpEndpoint, McpEndpointOptions } from "./endpoint.ts";
