// Who is let in to a socket, and what is answered to a page that does not keep to the protocol.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ada, credentials, type Edge, send, startEdge } from "../support/edge.ts";
import { follow, openPage } from "./page.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  for (const id of ["door", "other"])
    await send(`${edge.url}/threads/${id}`, "PUT", { definition: "contract-counter" });
});
afterAll(() => edge.kill());

const upgrade = (origin: string) => ({ headers: { origin } });
const threads = { door: {} };

describe("the upgrade", () => {
  it("is refused to pages of other origins", async () => {
    await expect(openPage(edge.url, "door", upgrade("https://elsewhere.example"))).rejects.toThrow();
  });

  it.each(["https://pages.example", () => edge.url])(
    "is there for those of a listed one and its own",
    async (given) => {
      const page = await openPage(edge.url, "door", upgrade(typeof given === "string" ? given : given()));
      expect((await page.call("/events", { threads }, ada)).status).toBe(200);
    },
  );

  it("is a request like any other where it is none", async () => {
    expect((await send(`${edge.url}/threads/door/socket`)).status).toBe(404);
  });
});

describe("the first call", () => {
  it("brings the credentials: without valid ones nothing is sent, and the socket is closed", async () => {
    const page = await openPage(edge.url, "door");
    expect(page.got).toEqual([]);
    expect(await page.call("/events", { threads })).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    await expect.poll(() => page.closed).toBe(1008);
    expect(page.got).toHaveLength(1);
  });

  it("cannot take the place of what the upgrade said", async () => {
    const eve = credentials({ kind: "user", id: "eve" });
    const page = await openPage(edge.url, "door", { headers: eve });
    await page.call("/events", { threads }, ada);
    await expect.poll(() => page.events("hello")).toMatchObject([{ actor: { id: "eve" } }]);
  });

  it.each([
    ["another path", { call: 0, path: "/operations", headers: ada, body: [] }, 1008],
    ["no threads", { call: 0, path: "/events", headers: ada, body: {} }, 1008],
    ["no JSON", "hello", 1007],
    ["no call", { path: "/events", body: { threads } }, 1007],
    ["headers that are none", { call: 0, path: "/events", headers: { a: 1 }, body: { threads } }, 1007],
  ])("with %s closes the socket", async (_, message, code) => {
    const page = await openPage(edge.url, "door");
    page.say(message);
    await expect.poll(() => page.closed).toBe(code);
    expect(page.got).toEqual([]);
  });
});

describe("a later call", () => {
  it("reaches no other route", async () => {
    const page = await follow(edge.url, "door", ada);
    for (const path of ["/threads/door", "/events", "/events/a/b", "/ag-ui/agent", "/operations?a"])
      expect(await page.call(path, {}), path).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("reaches no thread of another object", async () => {
    const page = await follow(edge.url, "door", ada);
    const submission = { thread: "other", id: "one", operation: { type: "add", by: 1 } };
    expect(await page.call("/operations", [submission])).toMatchObject({
      body: [{ problem: { code: "unknown_thread" } }],
    });
  });

  it("has the answers of its route where it is wrong", async () => {
    const page = await follow(edge.url, "door", ada);
    expect(await page.call("/operations", { nothing: 1 })).toMatchObject({ status: 400 });
    expect(await page.call("/events/-", { unfollow: 1 })).toMatchObject({ status: 400 });
  });

  it("changes what is followed", async () => {
    const page = await follow(edge.url, "door", ada);
    await send(`${edge.url}/threads/door/branches`, "POST", { name: "draft" });
    expect(await page.call("/events/-", { follow: { "door~draft": {} } })).toMatchObject({ status: 204 });
    await expect.poll(() => page.events("snapshot").map(({ thread }) => thread)).toEqual(["door", "door~draft"]);
  });
});
