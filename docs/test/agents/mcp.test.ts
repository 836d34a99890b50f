// "Claude Code, Codex and other MCP clients": its server and its client, run as printed.

import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { memoryLog } from "@opstate/core";
import type { McpEndpoint } from "@opstate/mcp";
import { createServer } from "@opstate/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";

const folder = writeGuide("mcp");
const { board } = await import(join(folder, "board.ts"));
const { server } = await import(join(folder, "server.ts"));
const { call, connect } = await import(join(folder, "agent.ts"));
const { withViews } = await import(join(folder, "views.ts"));
const { withOwnTools } = await import(join(folder, "own.ts"));
const { trusting } = await import(join(folder, "trusted.ts"));

describe("an MCP client", () => {
  it("installs what its code imports", () =>
    expect(guideInstalls("mcp")).toEqual(expect.arrayContaining([...guideImports("mcp")])));

  it("reads its verdict and what others changed, and approves nothing", async () => {
    const { url } = await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const client = await connect(url);
    onTestFinished(() => client.close());
    await call(client, "opstate_changes", {});
    const thread = await server.thread("launch", board);
    const ada = { actor: { kind: "user", id: "ada" } };
    await thread.dispatch(board.op.add({ title: "Call Ada" }), ada);
    const { text, data } = await call(client, "board_add", { title: "Invoices" });
    expect(text).toMatch(
      /^Accepted: board is now at version 2\. Created T-\w{10} "Invoices"\.\nChanged: added \/cards\/1 = .*\n<board-changes>\n1 change to board by others since version 0\. .*\n[^]*Call Ada[^]*\n<\/board-changes>$/,
    );
    expect(data).toMatchObject({ status: "accepted", version: 2 });
    expect((await call(client, "board_clear", {})).data).toMatchObject({ status: "proposed" });
    expect(thread.getState().cards).toHaveLength(2);
  });

  /** A client of the guide's, on a server with one of its endpoints. */
  async function connectTo(mcp: McpEndpoint, id: string, answer?: boolean) {
    const authorize = () => ({ actor: { kind: "agent", id }, allows: () => true });
    const serving = createServer({ definitions: [board], log: memoryLog(), authorize, mcp });
    await (await serving.thread("launch", board)).close();
    const { url } = await serving.listen({ port: 0 });
    onTestFinished(() => serving.close());
    if (answer === undefined) return connect(url);
    const client = new Client(
      { name: "host", version: "1.0.0" },
      { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { approve: answer } }));
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url)));
    return client;
  }

  it("has a view of the thread and the application's own tools", async () => {
    const views = await connectTo(withViews, "claude");
    expect((await call(views, "opstate_view_board", {})).data.status).toBe("read");
    expect((await call(views, "opstate_look", {})).data.page).toMatch(/^http:.*\/boards\/launch$/);
    const own = await connectTo(withOwnTools, "claude");
    expect((await call(own, "today", {})).text).toMatch(/, claude$/);
    for (const client of [views, own]) await client.close();
  });

  it("brings a person's answer where its host is trusted, and nowhere else", async () => {
    for (const [id, status] of [
      ["claude-of-ada", "accepted"],
      ["claude", "proposed"],
    ] as const) {
      const client = await connectTo(trusting, id, true);
      await call(client, "board_add", { title: "Invoices" });
      expect((await call(client, "board_clear", {})).data.status).toBe(status);
      await client.close();
    }
  });
});
