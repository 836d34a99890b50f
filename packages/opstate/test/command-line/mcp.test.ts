// `opstate mcp`, as the official client starts it, on a file that a server writes to.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openThread } from "@opstate/core";
import { sqliteLog } from "@opstate/server/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { list } from "../support/list.ts";

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), "opstate-mcp-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};
const program = join(import.meta.dirname, "../../src/main.ts");
const module = join(import.meta.dirname, "../support/list.ts");

async function start(path: string, ...more: string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const args = ["mcp", "--definition", module, "--data", path, "--actor", "agent:claude", ...more];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ["--conditions=@opstate/source", program, ...args] }),
  );
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  return client.callTool({ name, arguments: { threadId: "groceries", ...args } });
}

it("works on the thread that a server has open, reads and writes, and approves nothing", async () => {
  const path = join(folder(), "lists.sqlite");
  const log = sqliteLog({ path });
  onTestFinished(() => log.close());
  const thread = await openThread({ definition: list, log, threadId: "groceries" });
  const client = await start(path);
  const added = await call(client, "list_add", { item: "milk" });
  expect(added.structuredContent).toMatchObject({ status: "accepted", version: 1 });
  await expect.poll(() => thread.getState().items).toEqual(["milk"]);
  expect(await thread.history()).toMatchObject([{ commit: { actor: { kind: "agent", id: "claude" } } }]);

  await thread.dispatch(list.op.add({ item: "bread" }), { actor: { kind: "user", id: "ada" }, id: "hers" });
  const asked = await call(client, "list_clear", {});
  expect(asked.structuredContent).toMatchObject({
    status: "proposed",
    changesByOthers: expect.stringContaining("bread"),
  });
  expect((await call(client, "opstate_undo", { ids: ["hers"] })).structuredContent).toMatchObject({
    status: "refused",
    rejection: { code: "forbidden" },
  });
  expect(thread.getState().items).toEqual(["milk", "bread"]);
  expect((await call(client, "list_add", { threadId: "nowhere", item: "x" })).isError).toBe(true);
});

it("makes the thread that `--thread` names, and finds it again", async () => {
  const path = join(folder(), "new.sqlite");
  const first = await start(path, "--thread", "groceries");
  await call(first, "list_add", { item: "milk", callId: "c" });
  await first.close();
  const second = await start(path, "--thread", "groceries");
  const again = await call(second, "list_add", { item: "milk", callId: "c" });
  expect(again.structuredContent).toMatchObject({ status: "accepted", version: 1 });
  expect((await second.callTool({ name: "opstate_threads", arguments: {} })).structuredContent).toEqual({
    threads: [{ threadId: "groceries", definition: "list" }],
  });
});
