export type { ViewOptions } from "./app/views.ts";
export type { ApprovedBy } from "./call/elicitation.ts";
export type { McpCaller, McpRight } from "./call/caller.ts";
export { mcpEndpoint } from "./endpoint.ts";
export type { McpEndpoint, McpEndpointOptions } from "./endpoint.ts";
export type { OwnContext, OwnFeatures, OwnPrompt, OwnResource, OwnResult, OwnTool } from "./own-features.ts";
