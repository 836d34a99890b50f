// "Claude Code, Codex and other MCP clients": its server and its client, run as printed.

import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { guideImports, guideInstalls, writeGuide } from "./guide.ts";
import { typeErrors } from "./support/types.ts";

const folder = writeGuide("mcp");
const { board } = await import(join(folder, "board.ts"));
const { server } = await import(join(folder, "server.ts"));
const { call, connect } = await import(join(folder, "agent.ts"));

describe("an MCP client", () => {
  it("installs what its code imports", () =>
    expect(guideInstalls("mcp")).toEqual(expect.arrayContaining([...guideImports("mcp")])));

  it("has examples without type errors", () => expect(typeErrors(folder)).toBe(""));

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
});
