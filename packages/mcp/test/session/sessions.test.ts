// Sessions of clients of 2025-11-25: the official client of that protocol, and requests by hand.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { memoryLog } from "@opstate/core";
import { createServer } from "@opstate/server";
import { mcpEndpoint } from "@opstate/mcp";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ada, board } from "../support/board.ts";
import { authorize, CLAUDE, revoked, start } from "../support/mcp.ts";

const card = (id: string) => board.op.add({ id, title: `Card ${id}` });
const STATE = "opstate://threads/launch/state";
const CARDS = `${STATE}/columns/0/cards`;
/** Seconds of a day: no test waits for it. */
const DAY = 86_400;

interface Host {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** The addresses of which it was notified, in order. */
  readonly updated: string[];
}

async function open(url: string, token = CLAUDE, onQuestion?: () => void): Promise<Host> {
  const capabilities = onQuestion === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  const updated: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
  if (onQuestion !== undefined)
    client.setRequestHandler(ElicitRequestSchema, () => {
      onQuestion();
      return { action: "accept", content: { approve: true } };
    });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, updated };
}

async function launch() {
  const running = await start({ recheckSeconds: DAY });
  const thread = await running.server.thread("launch", board);
  return { ...running, thread, ...(await open(running.url)) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- results are of every shape
async function call(client: Client, name: string): Promise<any> {
  return (await client.callTool({ name, arguments: { threadId: "launch" } })).structuredContent;
}

interface Sender {
  readonly token?: string;
  readonly session?: string | null | undefined;
}

/** A request as any client could send it. */
function ask(send: (request: Request) => Promise<Response>, url: string, { token = CLAUDE, session }: Sender = {}) {
  const headers = new Headers({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });
  if (typeof session === "string") headers.set("mcp-session-id", session);
  return async (method: string, params: object = {}) =>
    method === "GET" || method === "DELETE"
      ? send(new Request(`${url}/mcp`, { method, headers }))
      : send(
          new Request(`${url}/mcp`, {
            method: "POST",
            headers,
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
          }),
        );
}

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1.0.0" },
} as const;

async function initialize(
  send: (request: Request) => Promise<Response>,
  url: string,
  sender?: Sender,
): Promise<string | null> {
  const response = await ask(send, url, sender)("initialize", INITIALIZE);
  await response.text();
  return response.headers.get("mcp-session-id");
}

afterEach(() => vi.useRealTimers());

describe("a client of 2025-11-25", () => {
  it("has a session, and is notified of what it subscribed to until it unsubscribes", async () => {
    const { client, transport, updated, thread } = await launch();
    expect(transport.sessionId).toEqual(expect.any(String));
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
    await client.subscribeResource({ uri: CARDS });
    await client.subscribeResource({ uri: STATE });
    await thread.dispatch(card("T-1"), { actor: ada });
    await expect.poll(() => new Set(updated)).toEqual(new Set([CARDS, STATE]));
    await client.unsubscribeResource({ uri: CARDS });
    const before = updated.length;
    await thread.dispatch(card("T-2"), { actor: ada });
    await expect.poll(() => updated.slice(before)).toContain(STATE);
    expect(updated.slice(before)).not.toContain(CARDS);
  });

  it.each([["opstate://threads/secret/state"], ["opstate://threads/nowhere/state"], ["file:///etc/passwd"]])(
    "cannot subscribe to %s",
    async (uri) => {
      const { client } = await launch();
      await expect(client.subscribeResource({ uri })).rejects.toThrow(/right|no thread|no resource/);
    },
  );

  it("can subscribe to what an application watches", async () => {
    let change = () => {};
    let isWatched = false;
    const watched = {
      listed: { uri: "app://clock", name: "clock" },
      read: () => undefined,
      watch: (uri: string, onChange: () => void) => {
        if (uri !== "app://clock") return undefined;
        change = onChange;
        isWatched = true;
        return () => void (isWatched = false);
      },
    };
    const { url } = await start({ endpoint: { own: { resources: [watched] } } });
    const { client, updated } = await open(url);
    await client.subscribeResource({ uri: "app://clock" });
    change();
    await expect.poll(() => updated).toEqual(["app://clock"]);
    await client.unsubscribeResource({ uri: "app://clock" });
    await expect.poll(() => isWatched).toBe(false);
  });

  it("brings the answer of a person, where the operator trusts it", async () => {
    const { url, server } = await start({ endpoint: { approvedBy: () => ada } });
    const thread = await server.thread("launch", board);
    await thread.dispatch(card("T-1"), { actor: ada });
    let questions = 0;
    const { client } = await open(url, CLAUDE, () => void (questions += 1));
    expect((await call(client, "board_clear")).status).toBe("accepted");
    expect(questions).toBe(1);
    const [last] = await thread.history({ order: "descending", limit: 1 });
    expect(last).toMatchObject({ commit: { actor: ada, operation: { type: "$approve" } } });
  });

  it("that lost its rights while a person was asked changes nothing", async () => {
    let rights = ["read", "write"];
    const { url, server } = await start({
      endpoint: { approvedBy: () => ada },
      authorize: () => {
        const granted = rights;
        return { actor: { kind: "agent", id: "claude" }, allows: (_, right) => granted.includes(right) };
      },
    });
    const thread = await server.thread("launch", board);
    await thread.dispatch(card("T-1"), { actor: ada });
    const { client } = await open(url, CLAUDE, () => void (rights = ["read"]));
    expect(await client.callTool({ name: "board_clear", arguments: { threadId: "launch" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('needs the right "write"') }],
    });
    expect(thread.getState().columns[0]?.cards).toHaveLength(1);
  });
});

describe("a session", () => {
  it("is unknown to everyone but the actor that opened it", async () => {
    const { url, transport, client } = await launch();
    for (const token of ["agent.codex.read,write", "user.claude.read,write"]) {
      const other = ask(fetch, url, { token, session: transport.sessionId });
      for (const method of ["tools/list", "GET", "DELETE"]) expect((await other(method)).status).toBe(404);
    }
    expect((await client.listTools()).tools).not.toEqual([]);
  });

  it("ends when a right of a subscription is removed; another one cannot subscribe", async () => {
    const { url, server, thread, client, transport, updated } = await launch();
    await client.subscribeResource({ uri: STATE });
    revoked.add("claude");
    try {
      await server.revoke({ actor: { kind: "agent", id: "claude" } });
      const owner = ask(fetch, url, { session: transport.sessionId });
      await expect.poll(async () => (await owner("tools/list")).status).toBe(404);
      await thread.dispatch(card("T-1"), { actor: ada });
      const { client: again } = await open(url);
      await expect(again.subscribeResource({ uri: STATE })).rejects.toThrow('needs the right "read"');
      expect(updated).toEqual([]);
    } finally {
      revoked.delete("claude");
    }
  });

  it("ends when its credentials are no longer the actor's", async () => {
    let id = "claude";
    const { url, server } = await start({
      recheckSeconds: DAY,
      authorize: () => ({ actor: { kind: "agent", id }, allows: () => true }),
    });
    const session = await initialize(fetch, url);
    const owner = ask(fetch, url, { session });
    const stream = await owner("GET");
    id = "codex";
    await server.revoke();
    await stream.text();
    id = "claude";
    expect((await owner("tools/list")).status).toBe(404);
  });

  it("ends when its client or the server ends it", async () => {
    const { url, server, transport } = await launch();
    const owner = ask(fetch, url, { session: transport.sessionId });
    await transport.terminateSession();
    expect((await owner("tools/list")).status).toBe(404);
    const open = ask(fetch, url, { session: await initialize(fetch, url) });
    const stream = await open("GET");
    void server.drain({ notice: 30_000, deadline: 60_000 });
    await stream.text();
    expect((await open("tools/list")).status).toBe(404);
  });

  it("is unknown after a restart, and the client opens another", async () => {
    const { url, server, client } = await launch();
    await client.close();
    await server.close();
    const port = Number(new URL(url).port);
    const later = await start({ port });
    await (await later.server.thread("launch", board)).close();
    const stale = ask(fetch, url, { session: crypto.randomUUID() });
    expect((await stale("tools/call")).status).toBe(404);
    const { client: again } = await open(url);
    expect((await call(again, "board_read")).status).toBe("read");
  });

  it("shows an update of before its stream was open", async () => {
    const { url, server } = await start();
    const thread = await server.thread("launch", board);
    const owner = ask(fetch, url, { session: await initialize(fetch, url) });
    await (await owner("resources/subscribe", { uri: STATE })).text();
    await thread.dispatch(card("T-1"), { actor: ada });
    const reader = (await owner("GET")).body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("\n\n")) text += (await reader?.read())?.value ?? "";
    expect(text).toContain(JSON.stringify({ uri: STATE }));
    await reader?.cancel();
  });

  it("does not open for a client of a server that keeps none, which answers each request by itself", async () => {
    const { url } = await start({ endpoint: { sessions: false } });
    const { client, transport } = await open(url);
    expect(transport.sessionId).toBeUndefined();
    expect(client.getServerCapabilities()?.resources).toEqual({});
    expect((await client.listTools()).tools).not.toEqual([]);
  });
});

describe("the number of sessions", () => {
  /** Without a network, so that time can be set. */
  function serve() {
    const server = createServer({ definitions: [board], log: memoryLog(), authorize, mcp: mcpEndpoint() });
    onTestFinished(() => server.close());
    return (request: Request) => server.fetch(request);
  }
  const URL_ = "http://localhost";

  it("is bounded for each actor: the one that was unused for longest ends", async () => {
    const send = serve();
    const codex = { token: "agent.codex.read" };
    const other = await initialize(send, URL_, codex);
    const used = ask(send, URL_, { session: await initialize(send, URL_) });
    const unused = ask(send, URL_, { session: await initialize(send, URL_) });
    for (let count = 2; count < 100; count += 1) await initialize(send, URL_);
    await (await used("ping")).text();
    await initialize(send, URL_);
    expect((await unused("ping")).status).toBe(404);
    expect((await used("ping")).status).toBe(200);
    expect((await ask(send, URL_, { ...codex, session: other })("ping")).status).toBe(200);
  });

  it("is bounded in time: one that is not used for an hour ends, and an open stream is a use", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const send = serve();
    const idle = ask(send, URL_, { session: await initialize(send, URL_) });
    const listening = ask(send, URL_, { session: await initialize(send, URL_) });
    const stream = await listening("GET");
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect((await idle("ping")).status).toBe(404);
    expect((await listening("ping")).status).toBe(200);
    await stream.body?.cancel();
  });
});
