// A visitor's own board: who reaches which thread by which route, its quota, and its end.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type AppOptions, createApp } from "../../src/app.ts";
import { chooseModel } from "../../src/model.ts";
import { VISIT_MS } from "../../src/visits/visits.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Visit {
  readonly threadId: string;
  readonly tokens: { readonly user: string; readonly agent: string };
  readonly expiresAt: string;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "visits-"));
  closing.push(async () => rmSync(folder, { recursive: true }));
  return folder;
}

async function start({ folder = newFolder(), ...options }: Partial<AppOptions> & { folder?: string } = {}) {
  const log = sqliteLog({ path: join(folder, "demo.sqlite") });
  const model = await chooseModel({ OPSTATE_OFFLINE_DELAY: "0" });
  const app = await createApp({ log, model, site: folder, ...options });
  const { url, close } = await listen(app.fetch);
  let closed: Promise<void> | undefined;
  const stop = () =>
    (closed ??= (async () => {
      const listening = close();
      await app.close();
      await listening;
      await log.close();
    })());
  closing.push(stop);
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    folder,
    stop,
    send,
    async begin(): Promise<Visit> {
      const response = await send("POST", "/api/visits");
      expect(response.status).toBe(201);
      return (await response.json()) as Visit;
    },
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const CARD = { type: "addCard", columnId: "backlog", title: "Written by a test" };

/** Who sends: each with the rights on a visit's thread, on the shared board, and on another one. */
const identities = {
  "its visitor": {
    headers: ({ tokens }: Visit) => ({ ...bearer(tokens.user), "x-opstate-user": "ada" }),
    own: ["read", "write", "undo", "approve"],
    shared: [],
    other: [],
  },
  "an agent of its visitor": {
    headers: ({ tokens }: Visit) => bearer(tokens.agent),
    own: ["read", "write"],
    shared: [],
    other: [],
  },
  "another visitor": {
    headers: (_: Visit, { tokens }: Visit) => ({ ...bearer(tokens.user), "x-opstate-user": "ada" }),
    own: [],
    shared: [],
    other: [],
  },
  "a person without a token": {
    headers: () => ({ "x-opstate-user": "ada" }),
    own: [],
    shared: ["read", "write", "undo", "approve"],
    other: ["read", "write", "undo", "approve"],
  },
  "the webhook": { headers: () => bearer("demo-webhook"), own: [], shared: ["read", "write"], other: [] },
  "the agent": { headers: () => bearer("demo-agent"), own: [], shared: ["read", "write"], other: [] },
} as const;

/** A route, what it sends, and the rights that it needs. */
const routes: readonly (readonly [method: string, path: string, needs: readonly string[], body?: unknown])[] = [
  ["GET", "", ["read"]],
  ["GET", "/history", ["read"]],
  ["GET", "/states/1", ["read"]],
  ["GET", "/explain?pointer=/columns/0/title", ["read"]],
  ["GET", "/proposals", ["read"]],
  ["GET", "/branches", ["read"]],
  ["GET", "/runs", ["read"]],
  ["POST", "/operations", ["write"], CARD],
  ["POST", "/proposals", ["write"], { operation: CARD }],
  ["POST", "/undo", ["undo", "write"], { target: { actor: { kind: "system", id: "demo" } } }],
  ["POST", "/branches", ["read", "write"], {}],
];

describe("who reaches which thread", () => {
  for (const [name, identity] of Object.entries(identities))
    test(name, async () => {
      const server = await start();
      const [visit, another] = [await server.begin(), await server.begin()];
      const headers = identity.headers(visit, another);
      expect((await server.send("PUT", "/threads/other", {}, { definition: "board" })).status).toBe(201);
      const reached: unknown[] = [];
      const expected: unknown[] = [];
      for (const [threadId, rights] of [
        [visit.threadId, identity.own],
        ["demo", identity.shared],
        ["other", identity.other],
      ] as const)
        for (const [method, path, needs, body] of routes) {
          const { status } = await server.send(method, `/threads/${threadId}${path}`, headers, body);
          reached.push([method, threadId, path, status !== 403]);
          expected.push([
            method,
            threadId,
            path,
            needs.every((right) => (rights as readonly string[]).includes(right)),
          ]);
        }
      expect(reached).toEqual(expected);
      expect((await server.send("DELETE", `/threads/${visit.threadId}`, headers)).status).toBe(403);
    });

  test("the routes that name threads in their body keep to the same rights", async () => {
    const server = await start();
    const [visit, another] = [await server.begin(), await server.begin()];
    for (const [name, identity] of Object.entries(identities)) {
      const headers = identity.headers(visit, another);
      const mayRead = (identity.own as readonly string[]).includes("read");
      const events = await server.send("POST", "/events", headers, { threads: { [visit.threadId]: {} }, wait: 0 });
      const types = ((await events.json()) as { type: string }[]).map(({ type }) => type);
      expect([name, types.includes("snapshot")]).toEqual([name, mayRead]);
      const operations = await server.send("POST", "/operations", headers, [
        { thread: visit.threadId, operation: CARD, id: `by-${name.replaceAll(" ", "-")}` },
      ]);
      const [verdict] = (await operations.json()) as { problem?: { status: number } }[];
      expect([name, verdict?.problem?.status]).toEqual([name, mayRead ? undefined : 403]);
      const run = await server.send("POST", "/ag-ui/kanban", headers, {
        threadId: visit.threadId,
        runId: `run-${name.replaceAll(" ", "-")}`,
        messages: [{ id: "m1", role: "user", content: "What is in Done?" }],
        tools: [],
        context: [],
        state: null,
        forwardedProps: {},
      });
      await run.text();
      expect([name, run.status]).toEqual([name, mayRead ? 200 : 403]);
      const list = (await (await server.send("GET", "/threads", headers)).json()) as { threadId: string }[];
      expect([name, list.some(({ threadId }) => threadId === visit.threadId)]).toEqual([name, mayRead]);
    }
  });

  test("a branch of a visit's board is its visitor's, too", async () => {
    const server = await start();
    const [visit, another] = [await server.begin(), await server.begin()];
    const own = identities["its visitor"].headers(visit);
    const made = await server.send("POST", `/threads/${visit.threadId}/branches`, own, {});
    const { threadId } = (await made.json()) as { threadId: string };
    const statusFor = async (headers: Record<string, string>) =>
      (await server.send("GET", `/threads/${threadId}`, headers)).status;
    expect(await statusFor(own)).toBe(200);
    for (const name of ["another visitor", "a person without a token", "the webhook", "the agent"] as const)
      expect([name, await statusFor(identities[name].headers(visit, another))]).toEqual([name, 403]);
  });
});

test("a token that was changed, made up, or cut opens nothing", async () => {
  const server = await start();
  const [visit, another] = [await server.begin(), await server.begin()];
  const [holder, , signature] = visit.tokens.user.split(".");
  for (const token of [
    `${holder}.${another.threadId}.${signature}`,
    `user.${visit.threadId}.${visit.tokens.agent.split(".")[2]}`,
    visit.tokens.user.slice(0, -1),
    `admin.${visit.threadId}.${signature}`,
    "user",
    "demo-webhoo",
  ])
    expect([token, (await server.send("GET", `/threads/${visit.threadId}`, bearer(token))).status]).toEqual([
      token,
      401,
    ]);
});

test("each visitor gets the sample board, and what one writes no other sees", async () => {
  const server = await start();
  const [first, second] = [await server.begin(), await server.begin()];
  const own = (visit: Visit) => ({ ...bearer(visit.tokens.user), "x-opstate-user": "ada" });
  const state = async (visit: Visit) => (await server.send("GET", `/threads/${visit.threadId}`, own(visit))).text();
  await server.send("POST", `/threads/${first.threadId}/operations`, own(first), CARD);
  expect(await state(first)).toContain("Written by a test");
  expect(await state(second)).not.toContain("Written by a test");
  expect(await state(second)).toContain("Write the launch announcement");
});

test("after a day its token opens nothing, and the next visit deletes its board", async () => {
  let now = Date.now();
  const server = await start({ visits: { now: () => now } });
  const visit = await server.begin();
  const own = bearer(visit.tokens.user);
  expect(Date.parse(visit.expiresAt)).toBe(now + VISIT_MS);
  const branch = await server.send("POST", `/threads/${visit.threadId}/branches`, own, {});
  expect(branch.status).toBe(201);
  now += VISIT_MS - 1;
  expect((await server.send("GET", `/threads/${visit.threadId}`, own)).status).toBe(200);
  now += 1;
  expect((await server.send("GET", `/threads/${visit.threadId}`, own)).status).toBe(401);
  const next = await server.begin();
  await server.stop();

  const log = sqliteLog({ path: join(server.folder, "demo.sqlite") });
  const left = (await log.list()).map(({ threadId }) => threadId).sort();
  await log.close();
  expect(left).toEqual(["demo", next.threadId].sort());
});

test("a visit is there after a restart with the same secret, and gone for another one", async () => {
  const folder = newFolder();
  const visitSecret = new Uint8Array(32).fill(7);
  const first = await start({ folder, visitSecret });
  const visit = await first.begin();
  const statusAt = async ({ send }: Awaited<ReturnType<typeof start>>) =>
    (await send("GET", `/threads/${visit.threadId}`, bearer(visit.tokens.user))).status;
  await first.stop();
  const second = await start({ folder, visitSecret });
  expect(await statusAt(second)).toBe(200);
  await second.stop();
  expect(await statusAt(await start({ folder, visitSecret: new Uint8Array(32).fill(8) }))).toBe(401);
});

test("a visit has a quota of its own, in which a run of the agent costs more", async () => {
  const server = await start({ visits: { quota: 52 } });
  const [visit, other] = [await server.begin(), await server.begin()];
  const read = ({ threadId, tokens }: Visit) => server.send("GET", `/threads/${threadId}`, bearer(tokens.user));
  expect((await read(visit)).status).toBe(200);
  const run = await server.send("POST", "/ag-ui/kanban", bearer(visit.tokens.user), {
    threadId: visit.threadId,
    runId: "run-1",
    messages: [{ id: "m1", role: "user", content: "What is in Done?" }],
    tools: [],
    context: [],
    state: null,
    forwardedProps: {},
  });
  expect(run.status).toBe(200);
  await run.text();
  expect((await read(visit)).status).toBe(200);
  const refused = await read(visit);
  expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: "visit_used_up" })]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // No one else pays for it.
  expect((await read(other)).status).toBe(200);
  expect((await server.send("GET", "/threads/demo")).status).toBe(200);
});

test("there are only so many visits at once, and a form of another site cannot begin one", async () => {
  const server = await start({ visits: { limit: 1 } });
  await server.begin();
  const full = await server.send("POST", "/api/visits");
  expect([full.status, full.headers.get("retry-after")]).toEqual([429, "3600"]);
  expect((await server.send("POST", "/api/visits", { "content-type": "text/plain" })).status).toBe(415);
});
