// Authentication and rights: every route, every kind of sender, every way to mount the server.

import { memoryLog } from "@opstate/core";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServer, type Right } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { agents, routes, runInput } from "../support/rights/routes.ts";
import { ada, asUser, authorize, createBoard, send, start } from "../support/server.ts";

const rights: readonly Right[] = ["read", "write", "undo", "approve", "admin"];

async function startMounted(): Promise<string> {
  const server = createServer({ definitions: [board], log: memoryLog(), authorize, agents });
  const app = new Hono().get("/hello", (context) => context.text("hello")).mount("/inner/opstate", server.fetch);
  const http = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await server.close();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/inner/opstate`;
}

const places = {
  "on its own port": async () => (await start({ agents })).url,
  "mounted under a prefix in another Hono app": startMounted,
  "under a base path": async () => `${(await start({ agents, basePath: "/deep/base" })).url}/deep/base`,
};

describe.each(Object.entries(places))("%s", (_name, place) => {
  it("answers 401 without credentials and 403 without the right on every route, and changes nothing", async () => {
    const url = await place();
    await send(`${url}/threads/launch`, "PUT", { definition: "board" });
    const before = await send(`${url}/threads/launch`, "GET");
    for (const [right, method, path, body] of routes) {
      const nobody = await send(url + path("launch"), method, body("launch"), {});
      expect(nobody, `${method} ${path("launch")} as nobody`).toMatchObject({
        status: 401,
        type: "application/problem+json",
        body: { code: "unauthenticated" },
      });
      const others = asUser("bob", ...rights.filter((other) => other !== right));
      const without = await send(url + path("launch"), method, body("launch"), others);
      expect(without, `${method} ${path("launch")} without "${right}"`).toMatchObject({
        status: 403,
        type: "application/problem+json",
        body: { code: "not_allowed" },
      });
      const elsewhere = await send(url + path("secret"), method, body("secret"), ada);
      expect(elsewhere, `${method} ${path("secret")} on a thread of others`).toMatchObject({
        status: 403,
        body: { code: "not_allowed" },
      });
    }
    expect(await send(`${url}/threads/launch`, "GET")).toEqual(before);
    expect((await send(`${url}/threads`, "GET", undefined, {})).status).toBe(401);
    expect((await send(`${url}/threads`, "GET", undefined, asUser("bob", "write"))).body).toEqual([]);
  });

  it("does not reveal to strangers which threads exist, however the path is spelled", async () => {
    const url = await place();
    for (const path of [
      "/",
      "/threads/",
      "/threads/launch/",
      "//threads/launch",
      "/threads/launch/..%2fx",
      "/threads/%6caunch",
      "/THREADS/launch",
      "/threads/nothing",
      "/ag-ui/nobody",
      "/%2e%2e/threads",
    ]) {
      const { status } = await fetch(url + path);
      // The outer app handles paths that the URL parser resolves to another place.
      expect([401, 404], `GET ${path}`).toContain(status);
    }
    expect((await send(`${url}/threads/%73ecret`, "GET")).status).toBe(403);
    expect((await send(`${url}/nothing`, "GET")).status).toBe(404);
  });
});

describe("an actor who may write but not read", () => {
  const webhook = asUser("webhook", "write");

  it("gets verdicts without parts of the state", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    await send(`${thread}/operations`, "POST", addCard("c1", "Confidential"));
    const rename = (title: string) => ({ type: "rename", cardId: "c1", title });
    const one = await send(`${thread}/operations`, "POST", { id: "s1", operation: rename("A") }, webhook);
    expect(one).toMatchObject({
      status: 200,
      body: { accepted: true, version: 2, commit: { id: "s1", operation: rename("A"), version: 2 } },
    });
    const list = await send(`${thread}/operations`, "POST", [rename("B"), { type: "fly" }], webhook);
    expect(list.body).toMatchObject([{ accepted: true, version: 3 }, { accepted: false }]);
    for (const { commit } of [one.body, list.body[0]]) {
      expect(Object.keys(commit)).toEqual(expect.not.arrayContaining(["patches", "inverse"]));
    }
    expect(JSON.stringify([one, list])).not.toContain("Confidential");
    const reader = await send(`${thread}/operations`, "POST", rename("C"), asUser("bob", "read", "write"));
    expect(reader.body.commit).toMatchObject({ patches: [{ value: "C" }], inverse: [{ value: "B" }] });
  });

  it("may not run an agent, since a run contains the state", async () => {
    const { url } = await start({ agents });
    await createBoard(url);
    const refused = await send(`${url}/ag-ui/echo`, "POST", runInput("launch"), webhook);
    expect(refused).toMatchObject({
      status: 403,
      body: { code: "not_allowed", detail: 'This request needs the right "read" on thread "launch".' },
    });
  });
});

describe("authorize", () => {
  it("is required", () => {
    expect(() => createServer({ definitions: [board], log: memoryLog() })).toThrow(
      expect.objectContaining({ code: "insecure_server" }),
    );
    expect(() => createServer({ definitions: [board], log: memoryLog(), insecure: false })).toThrow(
      "createServer needs `authorize`",
    );
  });

  it("denies by default: only `true` grants", async () => {
    const answers: unknown[] = [undefined, null, 1, "yes", {}];
    for (const answer of answers) {
      // As JavaScript callers without types may write it.
      const { url } = await start({
        authorize: () => ({ actor: { kind: "user", id: "x" }, allows: () => answer as boolean }),
      });
      expect((await send(`${url}/threads/launch`, "PUT", { definition: "board" })).status).toBe(403);
    }
  });

  it("that throws or gives no actor is answered with 500, without the reason", async () => {
    const broken = [
      () => Promise.reject(new Error("password of the database")),
      () => ({ actor: { kind: "user", id: "" }, allows: () => true }),
    ];
    for (const authorize of broken) {
      const { url, errors } = await start({ authorize });
      const answer = await send(`${url}/threads`, "GET");
      expect(answer).toMatchObject({ status: 500, body: { code: "failure" } });
      expect(JSON.stringify(answer.body)).not.toContain("password");
      expect(errors).toHaveLength(1);
    }
  });
});

describe("an insecure server", () => {
  it("serves everyone on loopback, and nowhere else", async () => {
    const insecure = { definitions: [board], log: memoryLog(), insecure: true };
    const server = createServer(insecure);
    const { url, port } = await server.listen({ hostname: "127.0.0.1" });
    onTestFinished(() => server.close());
    expect((await send(`${url}/threads/launch`, "PUT", { definition: "board" }, {})).status).toBe(201);
    const posted = await send(`${url}/threads/launch/operations`, "POST", addCard("c1"), {});
    expect(posted.body.commit.actor).toEqual({ kind: "user", id: "local" });
    for (const hostname of ["0.0.0.0", "::", "192.0.2.1", "example.com"]) {
      await expect(server.listen({ hostname })).rejects.toMatchObject({ code: "insecure_server" });
    }
    // A page whose domain points to this machine (DNS rebinding).
    const rebound = await server.fetch(
      new Request("http://evil.example/threads", { headers: { host: `evil.example:${port}` } }),
    );
    expect(rebound.status).toBe(403);
  });
});

describe("pages of other origins", () => {
  const page = (origin: string) => ({ ...ada, origin });

  it("may not use the server unless they are listed", async () => {
    const { url } = await start({ origins: ["https://app.example"] });
    await send(`${url}/threads/launch`, "PUT", { definition: "board" });
    const status = async (headers: Record<string, string>) =>
      (await send(`${url}/threads/launch/operations`, "POST", addCard("c"), headers)).status;
    expect(await status(page("https://evil.example"))).toBe(403);
    expect(await status(page("null"))).toBe(403);
    expect(await status(page(url.replace("http:", "https:").replace(/:\d+$/, ":1")))).toBe(403);
    expect(await status(page(url))).toBe(200);
    expect(await status(page("https://app.example"))).toBe(200);
  });

  it("get the headers that let them read when they are listed, also for errors", async () => {
    const { server, url } = await start({ origins: ["https://app.example"] });
    const events = await readEvents(`${await createBoard(url)}/events`, page("https://app.example"));
    expect(events.response.headers.get("access-control-allow-origin")).toBe("https://app.example");
    const preflight = await server.fetch(
      new Request("http://x/threads/launch/operations", {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "POST" },
      }),
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://app.example");
    const refused = await server.fetch(new Request("http://x/threads", { headers: { origin: "https://app.example" } }));
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, "https://app.example"]);
    const other = await server.fetch(new Request("http://x/threads", { headers: { origin: "https://evil.example" } }));
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
});
