// /mcp: the endpoint behind the same door as every route. Credentials and rights are checked with
// every request, also within a session.

import { checkHost } from "../http/host-guard.ts";
import { readJson } from "../http/json-body.ts";
import type { App, Services } from "../routes/environment.ts";
import { mcpCaller } from "./caller.ts";
import type { McpCaller, McpEndpoint } from "./endpoint.ts";
import { MCP_PATH } from "./protected-resource.ts";

export function mcpRoute(
  app: App,
  endpoint: McpEndpoint,
  definitions: McpCaller["definitions"],
  services: Services,
): void {
  app.all(MCP_PATH, async (context) => {
    const request = context.req.raw;
    checkHost(request, endpoint.hosts);
    const body = request.method === "POST" ? await readJson(request, services.operationLimits) : undefined;
    return endpoint.fetch(request, mcpCaller(context, definitions, services), body);
  });
}
