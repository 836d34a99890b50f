// A real server with its endpoint at /mcp, and the official client, over HTTP.

import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { memoryLog } from "@opstate/core";
import { mcpEndpoint, type McpEndpointOptions } from "@opstate/mcp";
import { createServer, type Authorize, type Server, type ServerOptions } from "@opstate/server";
import { onTestFinished } from "vitest";
import { board, note } from "./board.ts";

/** Bearer "kind.id.right,right". What is in `revoked` has no rights any more. */
export const revoked = new Set<string>();

export const authorize: Authorize = (request) => {
  const [, kind, id, rights = ""] =
    /^Bearer (\w+)\.(\w+)\.([\w,]*)$/.exec(request.headers.get("authorization") ?? "") ?? [];
  if (!kind || !id) return null;
  return {
    actor: { kind, id },
    allows: (threadId, right) => threadId !== "secret" && !revoked.has(id) && rights.split(",").includes(right),
  };
};

export const CLAUDE = "agent.claude.read,write";

export interface Running {
  readonly server: Server;
  readonly url: string;
  readonly errors: unknown[];
}

export async function start(
  options: Partial<ServerOptions> & { readonly port?: number; readonly endpoint?: McpEndpointOptions } = {},
): Promise<Running> {
  const { port = 0, endpoint, ...more } = options;
  const errors: unknown[] = [];
  const server = createServer({
    definitions: [board, note],
    log: memoryLog(),
    authorize,
    mcp: mcpEndpoint(endpoint),
    onError: (error) => errors.push(error),
    ...more,
  });
  onTestFinished(() => server.close());
  const { url } = await server.listen({ port });
  return { server, url, errors };
}

/** `modern`: the protocol of 2026-07-28, else that of 2025-11-25. With `answer` it can elicit. */
export async function connect(
  url: string,
  token = CLAUDE,
  mode: "modern" | "legacy" = "modern",
  answer?: (question: string) => ElicitResult,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode: mode === "legacy" ? "legacy" : { pin: "2026-07-28" } },
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
    },
  );
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => answer("message" in params ? params.message : ""));
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

export interface Called {
  readonly text: string;
  readonly isError: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into results of every shape
  readonly data: any;
}

/** Calls a tool on the thread "launch", or on the one of the arguments. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  meta?: Record<string, unknown>,
): Promise<Called> {
  const result = await client.callTool({
    name,
    arguments: { threadId: "launch", ...args },
    ...(meta && { _meta: meta }),
  });
  const content = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { text: content, isError: result.isError === true, data: result.structuredContent };
}
