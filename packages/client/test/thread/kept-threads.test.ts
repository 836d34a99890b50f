// What a client keeps, where the order of things on the wire matters. The whole way, with a real
// server, is tested in the package of the server.

import { createClient, memoryStorage } from "@opstate/client";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, hello, type OpenStream, snapshot, stream, welcome } from "../fake-server.ts";
import { ada, add, bob, tally, turns, until } from "../tally.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe("edits of an earlier page", () => {
  it("stay in the store until the thread says who is connected, and are sent then", async () => {
    const storage = memoryStorage();
    const scope = { url: "", actor: ada };
    await storage.setLastActor("", bob);
    const fit = { definition: "tally", definitionVersion: 1, at: "2026-01-01T00:00:00.000Z" };
    await storage.saveEdit(scope, "t", { id: "e", operation: add(10), ...fit });
    const streams: OpenStream[] = [];
    const server = fakeServer(({ path, init, body }) => {
      if (path === "/operations") return Response.json(body.map(() => ({ accepted: true, version: 0 })));
      streams.push(stream(init.signal));
      return streams.at(-1)!.response;
    });
    const client = createClient({ url: "", fetch: server.fetch, storage });
    ends.push(() => client.close());
    const thread = client.thread(tally, "t");
    thread.subscribe(() => undefined);
    await until("the stream", () => streams.length === 1);
    expect(thread.sync.getState()).toMatchObject({ actor: bob, isUnconfirmed: true });
    streams[0]?.send(hello);
    await until("who it is", () => thread.sync.getState().actor?.id === "ada");
    // The store has been read by now, several times over.
    await turns(20);
    expect((await storage.load(scope, "t")).edits).toHaveLength(1);
    streams[0]?.send(welcome("t"), snapshot("t"));
    await until("that it is sent", () => server.requests.some(({ path }) => path === "/operations"));
    const sent = server.requests.find(({ path }) => path === "/operations");
    expect(sent?.body).toMatchObject([{ thread: "t", id: "e", operation: add(10) }]);
  });

  it("of another definition are shown as lost, and stay in the store", async () => {
    const storage = memoryStorage();
    const scope = { url: "", actor: ada };
    await storage.setLastActor("", ada);
    const at = "2026-01-01T00:00:00.000Z";
    await storage.saveEdit(scope, "t", {
      id: "e",
      operation: { type: "x" },
      definition: "note",
      definitionVersion: 1,
      at,
    });
    const client = createClient({ url: "", fetch: () => Promise.reject(new TypeError("Failed to fetch")), storage });
    ends.push(() => client.close());
    const thread = client.thread(tally, "t");
    thread.subscribe(() => undefined);
    await until("the loss", () => thread.sync.getState().lost.length === 1);
    expect(thread.sync.getState().lost).toMatchObject([{ id: "e", operation: { type: "x" } }]);
    expect(thread.sync.getState().pending).toEqual([]);
    expect((await storage.load(scope, "t")).edits).toHaveLength(1);
  });
});

it("a stored snapshot is dropped when what a person wrote was erased, and edits that wait stay", async () => {
  const kept = memoryStorage();
  const dropped: string[] = [];
  const storage: typeof kept = {
    ...kept,
    dropSnapshot(scope, threadId) {
      dropped.push(threadId);
      return kept.dropSnapshot(scope, threadId);
    },
  };
  const streams: OpenStream[] = [];
  const server = fakeServer(({ path, init }) => {
    // The edit gets no answer.
    if (path === "/operations") return new Promise(() => undefined);
    streams.push(stream(init.signal));
    return streams.at(-1)!.response;
  });
  const client = createClient({ url: "", fetch: server.fetch, storage });
  ends.push(() => client.close());
  const thread = client.thread(tally, "t");
  thread.subscribe(() => undefined);
  await until("the stream", () => streams.length === 1);
  streams[0]?.send(hello, welcome("t"), snapshot("t", 3));
  await until("the state", () => thread.getState()?.count === 3);
  void thread.dispatch(add(1)).catch(() => undefined);
  const scope = { url: "", actor: ada };
  await expect.poll(async () => (await kept.load(scope, "t")).edits.length).toBe(1);
  const erased = { type: "$redact", author: bob };
  const commit = { version: 1, id: "r", operation: erased, actor: bob, at: "2026-01-01T00:00:00.000Z" };
  streams[0]?.send({
    thread: "t",
    type: "commits",
    commits: [{ ...commit, patches: [], inverse: [], definitionVersion: 1 }],
  });
  await until("that it is dropped", () => dropped.length > 0);
  expect(dropped).toEqual(["t"]);
  expect((await kept.load(scope, "t")).edits).toHaveLength(1);
});
