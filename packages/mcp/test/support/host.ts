// A host of MCP Apps in a page: the official client and the official bridge, as a chat client has
// them. `show` calls a tool, and shows its view.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, getToolUiResourceUri, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

export interface HostWindow {
  readonly show: (token: string, tool: string, args: Record<string, unknown>) => Promise<void>;
  readonly reload: () => void;
  /** What views opened. */
  readonly links: string[];
}

const links: string[] = [];

async function show(token: string, name: string, args: Record<string, unknown>): Promise<void> {
  const client = new Client({ name: "host", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href), { requestInit }));
  const { tools } = await client.listTools();
  const uri = getToolUiResourceUri(tools.find((tool) => tool.name === name) ?? {}) ?? "";
  const [content] = (await client.readResource({ uri })).contents;
  const result = await client.callTool({ name, arguments: args });

  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-scripts");
  document.body.replaceChildren(frame);
  const view = frame.contentWindow;
  if (view === null || content === undefined || !("text" in content)) throw new Error(`There is no view ${uri}.`);
  const bridge = new AppBridge(client, { name: "host", version: "1.0.0" }, { openLinks: {}, serverTools: {} });
  bridge.onopenlink = async ({ url }) => {
    links.push(url);
    return {};
  };
  bridge.oninitialized = () => {
    void bridge.sendToolInput({ arguments: args }).then(() => bridge.sendToolResult(result));
  };
  await bridge.connect(new PostMessageTransport(view, view));
  frame.srcdoc = content.text;
}

function reload(): void {
  const frame = document.querySelector("iframe");
  if (frame !== null) frame.srcdoc += " ";
}

const host: HostWindow = { show, reload, links };
Object.assign(window, host);
