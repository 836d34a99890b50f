// Threads at the edge, through the Worker: what is kept when objects and machines are lost, lists,
// branches, deletion, and who is let in.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ada, credentials, type Edge, send, startEdge } from "./support/edge.ts";

const definition = "contract-counter";
const bob = credentials({ kind: "user", id: "bob" }, "read");
const add = (by: number) => ({ type: "add", by });

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.kill());

const at = (path: string) => `${edge.url}${path}`;
const create = (id: string) => send(at(`/threads/${id}`), "PUT", { definition });

describe("a thread whose object is ended between any two calls", () => {
  /** A new thread's address, and `send` after the end of its object and of the index. */
  async function lost() {
    const id = `lost-${crypto.randomUUID()}`;
    const call: typeof send = async (...given) => {
      await edge.end("OPSTATE_THREADS", id);
      await edge.end("OPSTATE_INDEX", "index");
      return send(...given);
    };
    const thread = at(`/threads/${id}`);
    expect((await call(thread, "PUT", { definition })).status).toBe(201);
    const submit = (id: string, by: number) => call(`${thread}/operations`, "POST", { id, operation: add(by) });
    return { id, thread, call, submit };
  }

  it("gives an id that was used the verdict that it had, and has no second effect", async () => {
    const { thread, call, submit } = await lost();
    const first = await submit("one", 5);
    expect(first.body).toMatchObject({ accepted: true, version: 1 });
    expect((await submit("one", 5)).body).toEqual(first.body);
    expect((await call(thread)).body).toMatchObject({ version: 1, state: { count: 5 } });
  });

  it("refuses what it refused", async () => {
    const { submit } = await lost();
    const refused = { accepted: false, rejection: { reason: "too_much" } };
    expect((await submit("two", 500)).body).toMatchObject(refused);
    expect((await submit("two", 500)).body).toMatchObject(refused);
  });

  it("has its branches, and merges them", async () => {
    const { id, thread, call, submit } = await lost();
    await submit("one", 5);
    const branch = await call(`${thread}/branches`, "POST", { name: "draft" });
    expect(branch.body).toMatchObject({ threadId: `${id}~draft`, version: 0 });
    await call(at(`/threads/${id}~draft/operations`), "POST", { id: "three", operation: add(7) });
    expect((await call(thread)).body).toMatchObject({ version: 1, state: { count: 5 } });
    expect((await call(`${thread}/branches/${id}~draft/merge`, "POST", {})).status).toBe(200);
    expect((await call(thread)).body).toMatchObject({ version: 2, state: { count: 12 } });
  });

  it("undoes what was done, and has a history of all of it", async () => {
    const { thread, call, submit } = await lost();
    await submit("one", 5);
    await submit("two", 500);
    await submit("three", 7);
    const undone = await call(`${thread}/undo`, "POST", { target: { ids: ["one"] } });
    expect(undone.body).toMatchObject({ accepted: true, version: 3 });
    expect((await call(thread)).body).toMatchObject({ version: 3, state: { count: 7 } });
    const { body: entries } = await call(`${thread}/history?rejections=true`);
    expect(entries.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      "commit",
      "commit",
      "commit",
      "refusal",
    ]);
  });

  it("is there on another machine that has its storage", async () => {
    const before = await startEdge();
    const thread = `${before.url}/threads/moved`;
    await send(thread, "PUT", { definition });
    await send(`${thread}/operations`, "POST", { id: "one", operation: add(5) });
    await before.kill({ keep: true });
    const after = await startEdge(before.directory);
    expect((await send(`${after.url}/threads/moved`)).body).toMatchObject({ version: 1, state: { count: 5 } });
    const again = await send(`${after.url}/threads/moved/operations`, "POST", { id: "one", operation: add(5) });
    expect(again.body).toMatchObject({ accepted: true, version: 1 });
    await after.kill();
  });
});

it("makes the options of an object once, not with each request", async () => {
  await create("options");
  const made = async () => (await send(at("/$options"))).body;
  const before = await made();
  for (let n = 0; n < 5; n += 1) await send(at("/threads/options/operations"), "POST", add(1));
  expect(await made()).toBe(before);
});

describe("lists", () => {
  it("have the threads that were created, without branches, and not those that were deleted", async () => {
    for (const id of ["list-a", "list-b", "list-c"]) await create(id);
    await send(at("/threads/list-a/branches"), "POST", { name: "draft" });
    expect((await send(at("/threads/list-b"), "DELETE")).status).toBe(204);
    const listed = async () =>
      (await send(at("/threads"))).body
        .map(({ threadId }: { threadId: string }) => threadId)
        .filter((id: string) => id.startsWith("list-"));
    expect(await listed()).toEqual(["list-a", "list-c"]);
    await create("list-b");
    expect(await listed()).toEqual(["list-a", "list-c", "list-b"]);
  });

  it("show what the reader may read alone", async () => {
    await create("list-d");
    const none = credentials({ kind: "user", id: "eve" }, "write");
    expect((await send(at("/threads"), "GET", undefined, none)).body).toEqual([]);
  });
});

describe("a thread that the index could not be notified of", () => {
  it("is listed by the object's alarm, with one that was deleted meanwhile gone", async () => {
    const [kept, deleted] = [`kept-${crypto.randomUUID()}`, `deleted-${crypto.randomUUID()}`];
    await create(deleted);
    await fetch(at("/$index/down"));
    await create(kept);
    await send(at(`/threads/${deleted}`), "DELETE");
    await fetch(at("/$index/up"));
    for (const id of [kept, deleted]) {
      await edge.end("OPSTATE_THREADS", id);
      await fetch(at(`/$alarm/OPSTATE_THREADS/${id}`));
    }
    const listed = (await send(at("/threads"))).body.map(({ threadId }: { threadId: string }) => threadId);
    expect(listed).toContain(kept);
    expect(listed).not.toContain(deleted);
  });
});

describe("deletion", () => {
  it("leaves nothing of a thread or its branches, and a new one of the name begins anew", async () => {
    await create("gone");
    const first = (await send(at("/threads/gone"))).body.incarnation;
    await send(at("/threads/gone/operations"), "POST", { id: "one", operation: add(5) });
    await send(at("/threads/gone/branches"), "POST", { name: "draft" });
    expect((await send(at("/threads/gone"), "DELETE")).status).toBe(204);
    for (const id of ["gone", "gone~draft"]) expect((await send(at(`/threads/${id}`))).status).toBe(404);
    await create("gone");
    const found = (await send(at("/threads/gone"))).body;
    expect(found).toMatchObject({ version: 0, state: { count: 0 } });
    expect(found.incarnation).not.toBe(first);
    const again = await send(at("/threads/gone/operations"), "POST", { id: "one", operation: add(5) });
    expect(again.body).toMatchObject({ accepted: true, version: 1 });
  });
});

describe("many threads in one request", () => {
  it("get their verdicts in the order of the list, whichever objects they are in", async () => {
    for (const id of ["many-a", "many-b"]) await create(id);
    const submissions = [
      { thread: "many-a", id: "1", operation: add(1) },
      { thread: "many-b", id: "1", operation: add(2) },
      { thread: "many-none", id: "1", operation: add(3) },
      { thread: "many-a", id: "2", operation: add(500) },
    ];
    const { status, body } = await send(at("/operations"), "POST", submissions);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { accepted: true, version: 1 },
      { accepted: true, version: 1 },
      { problem: { code: "unknown_thread" } },
      { accepted: false, rejection: { reason: "too_much" } },
    ]);
  });

  it("are answered in one list to a client that polls", async () => {
    for (const id of ["poll-a", "poll-b"]) await create(id);
    const { body } = await send(at("/events"), "POST", { threads: { "poll-a": {}, "poll-b": {} }, wait: 0 });
    const kinds = body.map(({ type, thread }: { type: string; thread?: string }) => [type, thread]);
    expect(kinds.filter(([type]: [string]) => type === "hello")).toHaveLength(1);
    for (const id of ["poll-a", "poll-b"]) expect(kinds).toContainEqual(["snapshot", id]);
  });
});

describe("who is let in", () => {
  const paths = [
    ["GET", "/threads"],
    ["GET", "/threads/door"],
    ["PUT", "/threads/door"],
    ["POST", "/threads/door/operations"],
    ["GET", "/threads/door/events"],
    ["POST", "/events"],
    ["POST", "/events/s-1"],
    ["POST", "/operations"],
    ["POST", "/presence"],
    ["GET", "/unknown"],
    ["POST", "/$listing"],
    ["POST", "/$listing/threads"],
  ] as const;

  it.each(paths)("%s %s needs credentials, and the page of a listed origin", async (method, path) => {
    const body = method === "GET" ? undefined : {};
    expect((await send(at(path), method, body, {})).status).toBe(401);
    const elsewhere = { ...ada, origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
    expect((await send(at(path), method, body, elsewhere)).status).toBe(403);
  });

  it("is by rights, on a branch those of its thread", async () => {
    await create("rights");
    await send(at("/threads/rights/branches"), "POST", { name: "draft" });
    for (const id of ["rights", "rights~draft"]) {
      expect((await send(at(`/threads/${id}`), "GET", undefined, bob)).status).toBe(200);
      expect((await send(at(`/threads/${id}/operations`), "POST", add(1), bob)).status).toBe(403);
    }
    expect((await send(at("/threads/rights"), "DELETE", undefined, bob)).status).toBe(403);
  });
});
