// The official MCP client on the server's endpoint.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { headers, url } from "./board.ts";

const client = new Client({ name: "starter", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));

const { content } = await client.callTool({
  name: "board_add",
  arguments: { threadId: "demo", title: "From MCP" },
});
for (const part of content) if (part.type === "text") console.log(part.text);
await client.close();
