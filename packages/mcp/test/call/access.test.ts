// Who gets in, and as which actor: the same `authorize` as everywhere, with every request.

import { defineState } from "@opstate/core";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { board } from "../support/board.ts";
import { call, CLAUDE, connect, start } from "../support/mcp.ts";

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** The answer to a request with these headers, which `fetch` would not all send. */
function post(url: string, headers: Record<string, string>) {
  return new Promise<{
    readonly status: number | undefined;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly body: string;
  }>((resolve, reject) => {
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
    const sent = request(`${url}/mcp`, { method: "POST", headers: all }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => (body += part));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.on("error", reject).end(PING);
  });
}

describe("a request", () => {
  it("without a token learns where tokens come from", async () => {
    const { url } = await start({ endpoint: { authorizationServers: ["https://login.example.com"] } });
    const { status, headers } = await post(url, {});
    expect(status).toBe(401);
    const [, address = ""] = /^Bearer resource_metadata="(.*)"$/.exec(String(headers["www-authenticate"])) ?? [];
    expect(address).toBe(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await (await fetch(address)).json()).toEqual({
      resource: `${url}/mcp`,
      authorization_servers: ["https://login.example.com"],
      bearer_methods_supported: ["header"],
    });
  });

  it("behind a proxy gets the public address", async () => {
    const { url } = await start({ endpoint: { url: "https://board.example.com/api/mcp" }, basePath: "/api" });
    const { headers } = await post(`${url}/api`, {});
    expect(headers["www-authenticate"]).toBe(
      'Bearer resource_metadata="https://board.example.com/api/.well-known/oauth-protected-resource/mcp"',
    );
  });

  it.each([
    [200, {}, {}],
    [403, { host: "evil.example.com" }, {}],
    [403, { host: "evil.example.com", origin: "http://evil.example.com" }, {}],
    [403, { origin: "https://evil.example.com" }, {}],
    [200, { host: "board.example.com" }, { endpoint: { hosts: ["board.example.com"] } }],
    [200, { host: "board.example.com:8443" }, { endpoint: { hosts: ["board.example.com"] } }],
    [403, { host: "board.example.com.evil.org" }, { endpoint: { hosts: ["board.example.com"] } }],
    [200, { origin: "https://app.example.com" }, { origins: ["https://app.example.com"] }],
  ])("gets %i with %j on a server with %j", async (status, headers, options) => {
    const { url } = await start(options);
    expect((await post(url, { authorization: `Bearer ${CLAUDE}`, ...headers })).status).toBe(status);
  });

  it("is not larger than operations may be", async () => {
    const { url, errors } = await start({ limits: { operations: 1_000 } });
    const client = await connect(url);
    await expect(call(client, "board_add", { id: "T-1", title: "x".repeat(2_000) })).rejects.toThrow("413");
    expect(errors).toEqual([]);
  });
});

describe("the rights of a token", () => {
  it.each([
    ["agent.claude.read", "board_read", {}, true],
    ["agent.claude.read", "board_add", { id: "T-1", title: "x" }, false],
    ["agent.claude.write", "board_add", { id: "T-1", title: "x" }, false],
    ["agent.claude.write", "board_read", {}, false],
    ["agent.claude.read", "opstate_undo", { ids: ["x"] }, false],
    ["agent.claude.read", "opstate_propose", { operation: { type: "add" } }, false],
    ["agent.claude.read", "opstate_branch", { name: "b" }, false],
    ["agent.claude.read,write", "board_add", { id: "T-1", title: "x" }, true],
    ["agent.claude.read,write", "board_add", { id: "T-1", title: "x", threadId: "secret" }, false],
  ])("%s: %s %j is let through: %s", async (token, name, args, isAllowed) => {
    const { url, server } = await start();
    for (const id of ["launch", "secret"]) await (await server.thread(id, board)).close();
    const { isError, text } = await call(await connect(url, token), name, args);
    expect(isError).toBe(!isAllowed);
    if (!isAllowed) expect(text).toContain("needs the right");
  });

  it("make the actor, and an operation that it may never use is no tool of it", async () => {
    const { url, server } = await start();
    const thread = await server.thread("launch", board);
    const person = await connect(url, "user.ada.read,write");
    expect((await person.listTools()).tools.map(({ name }) => name)).toContain("board_audit");
    expect((await (await connect(url)).listTools()).tools.map(({ name }) => name)).not.toContain("board_audit");
    await call(person, "board_audit");
    expect(await thread.history()).toMatchObject([{ commit: { actor: { kind: "user", id: "ada" } } }]);
  });

  it("end the agent's share as they do everywhere", async () => {
    const { url, server } = await start({ quotas: { submissions: { perSecond: 0.001, burst: 2 } } });
    await (await server.thread("launch", board)).close();
    const client = await connect(url);
    const answers = [];
    for (const id of ["1", "2", "3", "4", "5"]) answers.push(await call(client, "board_add", { id, title: "x" }));
    expect(answers[0]?.isError).toBe(false);
    expect(answers.at(-1)).toMatchObject({ isError: true, text: expect.stringContaining("submitted too much") });
  });
});

it("a definition that cannot be served is named when the server is made", async () => {
  const taken = defineState({
    name: "taken",
    schema: z.object({ a: z.int() }),
    initial: { a: 0 },
    operations: { set: { input: z.object({ threadId: z.string() }), apply: () => {} } },
  });
  await expect(start({ definitions: [taken] })).rejects.toThrow('"taken_set" has an input "threadId"');
});
