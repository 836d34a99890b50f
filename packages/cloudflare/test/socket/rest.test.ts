// An object whose pages are on sockets is out of memory while nothing happens, and its pages notice
// nothing.

import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ada, credentials, type Edge, send, startEdge } from "../support/edge.ts";
import { until } from "../../../client/test/tally.ts";
import { follow, openPage } from "./page.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.kill());

const bob = credentials({ kind: "user", id: "bob" });

/**
 * Milliseconds: ten until an object rests, ten until the platform drops it, and some. That it is
 * out of memory cannot be asked for: the question would wake it.
 */
const LONG_ENOUGH = 24_000;

async function create(): Promise<string> {
  const id = `rest-${crypto.randomUUID()}`;
  await send(`${edge.url}/threads/${id}`, "PUT", { definition: "contract-counter" });
  return id;
}

/** For what comes at a time of its own. */
async function untilLater(what: string, holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 600 && !holds(); turn++) await pause(100);
  expect(holds(), what).toBe(true);
}

const add = (id: string, by: number) =>
  send(`${edge.url}/threads/${id}/operations`, "POST", { id: `add-${by}`, operation: { type: "add", by } });

it.concurrent("is made anew by an edit, which its pages get", async () => {
  const id = await create();
  const page = await follow(edge.url, id, ada);
  await add(id, 1);
  await until("the commit", () => page.events("commits").length === 1);
  const before = await edge.numberOf(id);
  await pause(LONG_ENOUGH);
  await add(id, 2);
  await until("the second commit", () => page.events("commits").length === 2);
  expect(await edge.numberOf(id)).toBeGreaterThan(before);
  expect(page.events("commits")[1]).toMatchObject({ thread: id, commits: [{ version: 2 }] });
  for (const once of ["hello", "welcome", "snapshot"]) expect(page.events(once), once).toHaveLength(1);
});

it.concurrent("is made anew by a page's own call, and so is what it shows", async () => {
  const id = await create();
  const [mine, theirs] = [await follow(edge.url, id, ada), await follow(edge.url, id, bob)];
  await mine.call("/presence", { stream: "-", threads: { [id]: { focus: "/count" } } });
  const here = { participants: [{ actor: { id: "ada" }, focus: "/count" }] };
  await until("who is here", () => theirs.events("presence").at(-1)?.["participants"].length === 1);
  expect(theirs.events("presence").at(-1)).toMatchObject(here);
  const shown = theirs.events("presence").length;
  const before = await edge.numberOf(id);
  await pause(LONG_ENOUGH);
  const verdict = await theirs.call("/operations", [{ thread: id, id: "one", operation: { type: "add", by: 3 } }]);
  expect(verdict).toMatchObject({ status: 200, body: [{ accepted: true, version: 1 }] });
  expect(await edge.numberOf(id)).toBeGreaterThan(before);
  await until("the commit", () => mine.events("commits").length === 1);
  // Nobody seemed to be gone for a moment, and names are those of before.
  const later = theirs.events("presence").slice(shown);
  for (const event of later) expect(event).toMatchObject(here);
  const [{ session }] = theirs.events("hello") as [{ session: string }];
  await theirs.call("/presence", { stream: "-", threads: { [id]: { typing: true } } });
  await until("both", () => mine.events("presence").at(-1)?.["participants"].length === 2);
  const both = mine.events("presence").at(-1)?.["participants"];
  expect(both).toContainEqual(expect.objectContaining({ session, typing: true }));
  mine.leave();
  await until("one", () => theirs.events("presence").at(-1)?.["participants"].length === 1);
});

it.concurrent("is made anew by a page that leaves, and the others see it", async () => {
  const id = await create();
  const [mine, theirs] = [await follow(edge.url, id, ada), await follow(edge.url, id, bob)];
  await mine.call("/presence", { stream: "-", threads: { [id]: { focus: "/count" } } });
  await until("who is here", () => theirs.events("presence").at(-1)?.["participants"].length === 1);
  const before = await edge.numberOf(id);
  await pause(LONG_ENOUGH);
  mine.leave();
  await until("nobody", () => theirs.events("presence").at(-1)?.["participants"].length === 0);
  expect(await edge.numberOf(id)).toBeGreaterThan(before);
});

it.concurrent("keeps the name of a tab among others", async () => {
  const id = await create();
  const page = await follow(edge.url, id, ada);
  await page.call("/presence", { stream: "-", tab: "one", threads: { [id]: { focus: "/count" } } });
  await until("itself", () => page.events("presence").at(-1)?.["participants"].length === 1);
  const [{ session }] = page.events("hello") as [{ session: string }];
  const shown = page.events("presence").length;
  await pause(LONG_ENOUGH);
  await add(id, 1);
  await until("the list", () => page.events("presence").length > shown);
  for (const { participants } of page.events("presence"))
    expect(participants).toMatchObject([{ session: `${session}.one` }]);
});

it.concurrent("begins a thread again that its page follows again", async () => {
  const id = await create();
  const page = await follow(edge.url, id, ada);
  const [{ incarnation }] = page.events("welcome") as [{ incarnation: string }];
  await pause(LONG_ENOUGH);
  await page.call("/events/-", { unfollow: [id], follow: { [id]: { after: 0, incarnation } } });
  await until("the welcome", () => page.events("welcome").length === 2);
  expect(page.closed).toBeUndefined();
});

it.concurrent("begins a thread again that was refused, when it is allowed", async () => {
  const id = await create();
  const page = await follow(edge.url, id, ada);
  const [{ incarnation }] = page.events("welcome") as [{ incarnation: string }];
  await pause(LONG_ENOUGH);
  await fetch(`${edge.url}/$forbid/${id}`);
  await page.call("/presence", { stream: "-", threads: {} });
  await until("the problem", () => page.events("problem").length === 1);
  await fetch(`${edge.url}/$allow/${id}`);
  await page.call("/events/-", { follow: { [id]: { after: 0, incarnation } } });
  await until("the welcome", () => page.events("welcome").length === 2);
});

it.concurrent("rests while many pages say that they are there", async () => {
  const id = await create();
  const before = await edge.numberOf(id);
  const ends = [];
  for (let count = 0; count < 8; count++) {
    const page = await follow(edge.url, id, ada);
    await page.call("/presence", { stream: "-", threads: { [id]: { focus: "/count" } } });
    let answered = 0;
    const answer = setInterval(() => {
      const heartbeats = page.got.filter((text) => text.startsWith(":")).length;
      for (; answered < heartbeats; answered++)
        page.say({ call: -1, path: "/presence", body: { stream: "-", threads: {} } });
    }, 100);
    ends.push(() => clearInterval(answer));
  }
  await pause(LONG_ENOUGH);
  for (const end of ends) end();
  expect(await edge.numberOf(id)).toBeGreaterThan(before);
});

it.concurrent("wakes when the first credentials expire, and those that are valid read on", async () => {
  const id = await create();
  const expiring = credentials({ kind: "user", id: "eve" }, `read,write ${Date.now() + LONG_ENOUGH}`);
  const [short, long] = [await follow(edge.url, id, expiring), await follow(edge.url, id, ada)];
  const before = await edge.numberOf(id);
  await untilLater("the end", () => short.closed !== undefined);
  expect(short.closed).toBe(1008);
  expect(short.events("problem").at(-1)).toMatchObject({ status: 401, code: "unauthenticated" });
  expect(await edge.numberOf(id)).toBeGreaterThan(before);
  await add(id, 5);
  await until("the commit", () => long.events("commits").length === 1);
  expect(short.events("commits")).toEqual([]);
});

it.concurrent("gives nothing to a page whose rights were taken meanwhile", async () => {
  const id = await create();
  const page = await follow(edge.url, id, ada);
  await pause(LONG_ENOUGH);
  await fetch(`${edge.url}/$forbid/${id}`);
  const forbidden = await add(id, 1);
  expect(forbidden.status).toBe(403);
  await until("the problem", () => page.events("problem").length === 1);
  expect(page.events("problem")).toMatchObject([{ thread: id, status: 403 }]);
  expect(page.events("commits")).toEqual([]);
});

it.concurrent("stays while a stream of another kind is open", async () => {
  const id = await create();
  const page = await follow(edge.url, id, ada);
  const leave = new AbortController();
  const stream = await fetch(`${edge.url}/threads/${id}/events`, { headers: ada, signal: leave.signal });
  const before = await edge.numberOf(id);
  await pause(LONG_ENOUGH);
  await add(id, 1);
  await until("the commit", () => page.events("commits").length === 1);
  expect(await edge.numberOf(id)).toBe(before);
  leave.abort();
  await stream.body?.cancel().catch(() => undefined);
});

it.concurrent("does not keep a page that makes no first call", async () => {
  const page = await openPage(edge.url, await create());
  await untilLater("the end", () => page.closed !== undefined);
  expect(page.closed).toBe(1008);
});
