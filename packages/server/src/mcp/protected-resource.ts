// What a client without a token gets: where the endpoint is, and where tokens come from (RFC 9728).
// It needs no identity.

import { type App } from "../routes/environment.ts";
import type { McpEndpoint } from "./endpoint.ts";

export const MCP_PATH = "/mcp";
const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

/** To be called before the door, which needs an identity. */
export function protectedResource(app: App, { url, authorizationServers }: McpEndpoint): void {
  app.get(METADATA_PATH, (context) =>
    context.json({
      resource: url ?? besideMetadata(context.req.url),
      ...(authorizationServers.length > 0 && { authorization_servers: authorizationServers }),
      bearer_methods_supported: ["header"],
    }),
  );

  app.use(MCP_PATH, async (context, next) => {
    await next();
    if (context.res.status !== 401) return;
    const resource = url ?? context.req.url;
    const metadata = new URL(resource);
    metadata.pathname = metadata.pathname.replace(/\/mcp\/?$/, METADATA_PATH);
    metadata.search = "";
    context.res.headers.set("www-authenticate", `Bearer resource_metadata="${metadata.href}"`);
  });
}

function besideMetadata(address: string): string {
  const resource = new URL(address);
  resource.pathname = resource.pathname.replace(METADATA_PATH, MCP_PATH);
  resource.search = "";
  return resource.href;
}
