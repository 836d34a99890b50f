// The audit feed: who was let in and who was not, on every route, with nothing of what is in a
// thread; and a request that goes on whatever the feed's function does.

import { memoryLog } from "@opstate/core";
import { describe, expect, it, vi } from "vitest";
import type { AuditEvent } from "../../src/index.ts";
import { addCard } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { openJoint } from "../support/joint.ts";
import { rightsTable } from "../support/rights/rights-table.ts";
import { agents } from "../support/rights/routes.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const SECRET = "SECRET-CONTENT";

async function audited(options: Parameters<typeof start>[0] = {}) {
  const events: AuditEvent[] = [];
  const running = await start({ agents, log: memoryLog(), audit: (event) => events.push(event), ...options });
  const thread = await createBoard(running.url);
  await send(`${thread}/operations`, "POST", { id: "planted", operation: addCard("c0", SECRET) });
  await send(`${thread}/branches`, "POST", { name: "b" });
  events.length = 0;
  return { ...running, thread, events };
}

const named = { threadId: "launch", branchId: "launch~b", proposal: "p", stream: "s-none" };

describe("the audit feed", () => {
  it("has an event for each right that a route needs, and the reason of each refusal", async () => {
    const { url, events } = await audited();
    for (const [name, { kind, needs, mayNeed = [], path, body }] of Object.entries(rightsTable)) {
      // Those name a stream of the sender, and nobody has one here.
      if (kind === "everybody" || kind === "stream" || name.startsWith("DELETE")) continue;
      const [method = "", route] = name.split(" ");
      const ask = async (headers: Record<string, string>) => {
        events.length = 0;
        const aborter = new AbortController();
        const response = await fetch(url + path(named), {
          method,
          signal: aborter.signal,
          headers: { ...headers, "content-type": "application/json", "x-request-id": "r-1" },
          ...(body && { body: JSON.stringify(body(named)) }),
        });
        aborter.abort();
        await response.text().catch(() => "");
        return structuredClone(events);
      };
      const thread = kind === "list" ? {} : { threadId: "launch" };
      const request = { at: expect.stringMatching(/^\d{4}-.*Z$/), requestId: "r-1", method, route };
      const actor = { kind: "user", id: "ada" };
      const told = new Set((await ask(ada)).map(({ right }) => right));
      // Where it depends on whose the work is, fewer may do.
      expect(told, name).toEqual(new Set(mayNeed.length === 0 ? needs : needs.slice(0, told.size)));
      for (const event of await ask(ada))
        expect(event, name).toEqual({ ...request, ...thread, actor, right: event.right, outcome: "allowed" });
      const pathThread = path(named).startsWith("/threads/") ? thread : {};
      expect(await ask({}), name).toEqual([{ ...request, ...pathThread, outcome: "refused", code: "unauthenticated" }]);
      if (kind === "list") continue;
      expect(await ask(asUser("eve")), name).toEqual([
        {
          ...request,
          ...thread,
          actor: { kind: "user", id: "eve" },
          right: needs[0],
          outcome: "refused",
          code: "not_allowed",
        },
      ]);
    }
  });

  it("has nothing of a state, an operation or a header", async () => {
    const { url, thread, events } = await audited();
    for (const path of ["", "/history?rejections=true", "/branches/launch~b/diff", "/states/1"])
      await send(thread + path, "GET");
    await send(`${url}/operations`, "POST", [{ thread: "launch", operation: addCard("c1", SECRET) }]);
    await send(`${thread}/proposals`, "POST", { operation: addCard("c2", SECRET) });
    expect(events.length).toBeGreaterThan(5);
    expect(JSON.stringify(events)).not.toContain(SECRET);
    expect(JSON.stringify(events)).not.toContain(ada.authorization);
  });

  it("says of a page of another site that it was refused", async () => {
    const { url, events } = await audited();
    await send(`${url}/threads/launch`, "GET", undefined, { ...ada, origin: "https://evil.example" });
    expect(events).toMatchObject([{ threadId: "launch", outcome: "refused", code: "origin_refused" }]);
    expect(events[0]).not.toHaveProperty("actor");
  });

  it.each(["one thread", "many threads"])("says when a stream of %s is over for its reader", async (kind) => {
    let rights = true;
    const { url, server, thread, events } = await audited({
      authorize: (request) => ({
        actor: { kind: "user", id: request.headers.get("x-user") ?? "ada" },
        allows: () => rights || !request.headers.has("x-user"),
      }),
    });
    const eve = { "x-user": "eve" };
    const stream =
      kind === "one thread" ? await readEvents(`${thread}/events`, eve) : await openJoint(url, { launch: {} }, eve);
    while (!stream.text().includes("snapshot")) await stream.next();
    const allowed = { actor: { id: "eve" }, threadId: "launch", right: "read", outcome: "allowed" };
    expect(events).toMatchObject([allowed]);
    await server.revoke();
    rights = false;
    await server.revoke();
    while (!stream.text().includes("not_allowed")) await stream.next();
    expect(events).toMatchObject([allowed, { ...allowed, outcome: "ended", code: "not_allowed" }]);
    expect(events[1]?.requestId).toBe(events[0]?.requestId);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("the audit log is full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the audit log is full"))],
    ["never resolves", () => new Promise(() => {})],
  ])("holds and breaks no request when its function %s", async (how, audit) => {
    const { thread, errors } = await audited({ audit });
    expect((await send(thread, "GET")).status).toBe(200);
    expect((await send(thread, "GET", undefined, {})).status).toBe(401);
    expect((await send(thread, "GET", undefined, asUser("eve"))).status).toBe(403);
    if (how === "never resolves") return expect(errors).toEqual([]);
    await vi.waitUntil(() => errors.length >= 3);
    expect(String(errors[0])).toContain("the audit log is full");
  });
});
