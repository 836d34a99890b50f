// The demo over real HTTP: an unmodified AG-UI client, the webhook, the page, and what is refused.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BaseEvent, HttpAgent } from "@ag-ui/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createReplica } from "@opstate/core";
import { board } from "@opstate/kanban-domain";
import { listen } from "@opstate/server";
import { httpTransport } from "@opstate/server/client";
import { sqliteLog } from "@opstate/server/sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createApp } from "../src/app.ts";
import { chooseModel } from "../src/model.ts";
import { short } from "./support/board-run.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "kanban-server-"));
const site = join(folder, "dist");

async function start() {
  const log = sqliteLog({ path: join(folder, "demo.sqlite") });
  const app = await createApp({ log, model: await chooseModel({ OPSTATE_OFFLINE_DELAY: "0" }), site });
  const { url, close } = await listen(app.fetch);
  return {
    url,
    async close() {
      const closed = close();
      await app.close();
      await closed;
      await log.close();
    },
  };
}

let server: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  server = await start();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const json = async (path: string): Promise<unknown> =>
  (await fetch(server.url + path, { headers: { "x-opstate-user": "ada" } })).json();
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/threads/demo/operations`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", authorization: "Bearer demo-webhook", ...headers },
  });

/** A run of the agent by the official client: its events, and what it said last. */
async function chat(request: string) {
  const agent = new HttpAgent({
    url: `${server.url}/ag-ui/kanban`,
    threadId: "demo",
    headers: { "x-opstate-user": "ada" },
  });
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content: request });
  const events: BaseEvent[] = [];
  await agent.runAgent({}, { onEvent: ({ event }) => void events.push(event) });
  return { types: events.map((event) => event.type), reply: agent.messages.at(-1)?.content, state: agent.state };
}

test("a new demo has the sample board, and says which model answers", async () => {
  expect(await json("/threads/demo")).toMatchObject({ version: 1, definition: "board" });
  expect(await json("/api/info")).toEqual({ model: { name: "offline", offline: true }, threadId: "demo" });
});

test("a board of ten thousand cards is there when it is requested, and stays", async () => {
  const count = async () => {
    const { version, state } = (await json("/threads/big")) as {
      version: number;
      state: { columns: { cardCount: number }[] };
    };
    return [version, state.columns.reduce((sum, { cardCount }) => sum + cardCount, 0)];
  };
  expect(await json("/threads")).toEqual([expect.objectContaining({ threadId: "demo" })]);
  expect(await count()).toEqual([1, 10_000]);
  const moved = await fetch(`${server.url}/threads/big/operations`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-opstate-user": "ada" },
    body: JSON.stringify({ type: "move", cardId: "T-9999", toColumn: "ideas", position: 0 }),
  });
  expect(moved.status).toBe(200);
  expect(await count()).toEqual([2, 10_000]);
});

test("a stream of several threads finds the board of ten thousand cards too", async () => {
  const response = await fetch(`${server.url}/events`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-opstate-user": "ada" },
    body: JSON.stringify({ threads: { demo: {}, big: {} }, wait: 0 }),
  });
  const messages = (await response.json()) as { type: string; thread?: string }[];
  const snapshots = messages.filter(({ type }) => type === "snapshot").map(({ thread }) => thread);
  expect(new Set(snapshots)).toEqual(new Set(["demo", "big"]));
});

test("an unmodified AG-UI client chats with the agent and sees the board change", async () => {
  const { types, reply, state } = await chat("move T-42 to In Progress");
  expect(types.filter((type) => type !== "TEXT_MESSAGE_CONTENT" && type !== "TOOL_CALL_ARGS")).toEqual([
    "RUN_STARTED",
    "STATE_SNAPSHOT",
    "TOOL_CALL_START",
    "TOOL_CALL_END",
    "STATE_DELTA",
    "CUSTOM",
    "TOOL_CALL_RESULT",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_END",
    "RUN_FINISHED",
  ]);
  expect(reply).toBe("Moved 'Let people undo an agent's whole run' (T-42) to In Progress.");
  expect(await json("/threads/demo")).toMatchObject({ state });
});

test("a webhook adds a card through the same reducer, and a replica elsewhere sees it", async () => {
  const replica = createReplica({
    definition: board,
    transport: httpTransport({ url: server.url, threadId: "demo", headers: { "x-opstate-user": "grace" } }),
  });
  await replica.ready();
  const seen = new Promise((resolve) => replica.onCommit(resolve));
  const response = await post(
    JSON.stringify({ type: "addCard", columnId: "backlog", title: "Sent by a webhook", priority: 1 }),
  );
  expect(await response.json()).toMatchObject({ accepted: true, commit: { actor: { kind: "webhook", id: "demo" } } });
  expect(await seen).toMatchObject({ operation: { type: "addCard", title: "Sent by a webhook" } });
  expect(short(replica.getState())[0]).toMatch(/ 'Sent by a webhook'$/);
  replica.close();
});

describe("what is refused changes nothing", () => {
  test.each<[string, string, Record<string, string>, number]>([
    ["an unknown operation", '{"type":"explode"}', {}, 422],
    ["a refusal of the board", '{"type":"move","cardId":"T-1","toColumn":"nowhere"}', {}, 422],
    ["a replacement by a webhook", '{"type":"$replace","value":{"columns":[]}}', {}, 403],
    ["what is no JSON", "{", {}, 400],
    ["a form", '{"type":"addCard"}', { "content-type": "text/plain" }, 415],
    ["a wrong token", '{"type":"addCard","columnId":"backlog","title":"x"}', { authorization: "Bearer guess" }, 401],
    [
      "a page of another site",
      '{"type":"addCard","columnId":"backlog","title":"x"}',
      { origin: "https://evil.example" },
      403,
    ],
  ])("%s", async (_, body, headers, status) => {
    const before = await json("/threads/demo");
    const response = await post(body, headers);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(await json("/threads/demo")).toEqual(before);
  });

  test("a webhook may not delete the thread", async () => {
    expect(
      (
        await fetch(`${server.url}/threads/demo`, {
          method: "DELETE",
          headers: { authorization: "Bearer demo-webhook" },
        })
      ).status,
    ).toBe(403);
  });

  test("a foreign name that points to this machine", async () => {
    const status = new Promise((resolve, reject) => {
      httpRequest(`${server.url}/threads/demo`, { headers: { host: "evil.example" } }, ({ statusCode }) =>
        resolve(statusCode),
      )
        .on("error", reject)
        .end();
    });
    expect(await status).toBe(403);
  });
});

describe("the page", () => {
  test("says how to build it when it was not", async () => {
    const response = await fetch(server.url);
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringContaining("npx -y pnpm@12.21.0 build"),
    ]);
  });

  test("is served with its files, and no script of others", async () => {
    mkdirSync(join(site, "assets"), { recursive: true });
    writeFileSync(join(site, "index.html"), "<!doctype html>page");
    writeFileSync(join(site, "assets", "app-1.js"), "1;");
    writeFileSync(join(folder, "secret.txt"), "secret");
    const page = await fetch(`${server.url}/`);
    expect(await page.text()).toBe("<!doctype html>page");
    expect((await fetch(`${server.url}/some/view`)).status).toBe(404);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self';");
    const script = await fetch(`${server.url}/assets/app-1.js`);
    expect([script.headers.get("content-type"), script.headers.get("cache-control")]).toEqual([
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
    for (const path of ["/missing.js", "/..%2fsecret.txt", "/assets/..%2f..%2fsecret.txt", "/%00.js"]) {
      const response = await fetch(server.url + path);
      expect([path, response.ok, (await response.text()).includes("secret")]).toEqual([path, false, false]);
    }
  });
});

test("after a restart the board is there, and is not seeded again", async () => {
  const before = await json("/threads/demo");
  await server.close();
  server = await start();
  expect(await json("/threads/demo")).toEqual(before);
  expect((await chat("where is T-42?")).reply).toMatch(/\(T-42\) is in In Progress/);
});

test("an MCP client works on the board as an agent, and reads what people do meanwhile", async () => {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", server.url), {
      requestInit: { headers: { authorization: "Bearer demo-agent" } },
    }),
  );
  const add = async (title: string) => {
    const args = { threadId: "demo", columnId: "backlog", title, priority: 1 };
    return (await client.callTool({ name: "board_addCard", arguments: args })).structuredContent;
  };
  expect(await add("Sent by an MCP client")).toMatchObject({ status: "accepted" });
  await post(
    JSON.stringify({ type: "addCard", columnId: "backlog", title: "Sent by a webhook meanwhile", priority: 1 }),
  );
  expect(await add("Sent by an MCP client again")).toMatchObject({
    status: "accepted",
    changesByOthers: expect.stringContaining("Sent by a webhook meanwhile"),
  });
  const [newest] = (await json("/threads/demo/history?order=descending&limit=1")) as readonly unknown[];
  expect(newest).toMatchObject({ commit: { actor: { kind: "agent", id: "mcp" } } });
  const look = await client.callTool({ name: "opstate_look", arguments: { threadId: "demo" } });
  expect(look.structuredContent).toMatchObject({ page: `${server.url}/react/` });
  await client.close();
  const refused = await fetch(`${server.url}/mcp`, { method: "POST", headers: { authorization: "Bearer wrong" } });
  expect(refused.headers.get("www-authenticate")).toContain("resource_metadata=");
});
