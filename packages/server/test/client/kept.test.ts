/// <reference lib="dom" />
// A client that keeps what waits over a reload, with a real server behind a line that can be down.

import { type ClientStorage, createClient, memoryStorage, type ServerOptions } from "@opstate/client";
import { type Actor, memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ada, add, bob, defineTally, tally, until } from "../../../client/test/tally.ts";
import { cutLine } from "../support/cut-line.ts";
import { createServer } from "../../src/index.ts";

/** A server without a network, and the pages that were opened on it. */
async function bench() {
  const server = createServer({
    definitions: [tally],
    log: memoryLog(),
    authorize(request) {
      const [kind = "", id = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return id === "" ? null : { actor: { kind, id }, allows: (_, right) => id !== "eve" || right !== "read" };
    },
  });
  onTestFinished(() => server.close());
  const line = cutLine((request) => server.fetch(request));
  const send = (path: string, method: string, body: unknown, actor = ada) =>
    server.fetch(
      new Request(`http://server${path}`, {
        method,
        headers: { authorization: `${actor.kind} ${actor.id}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  const create = () => send("/threads/t", "PUT", { definition: "tally" });
  await create();

  function page(
    storage: ClientStorage | undefined,
    actor: Actor | undefined = ada,
    { definition = tally, ...options }: Partial<ServerOptions> & { readonly definition?: typeof tally } = {},
  ) {
    const client = createClient({
      url: "http://server",
      headers: actor === undefined ? {} : { authorization: `${actor.kind} ${actor.id}` },
      storage,
      fetch: line.fetch,
      ...options,
    });
    onTestFinished(() => client.close());
    const thread = client.thread(definition, "t");
    return { client, thread, watch: () => thread.subscribe(() => undefined) };
  }

  return {
    page,
    create,
    redact: (author: Actor) => send("/threads/t/redact", "POST", { author }, { kind: "system", id: "s" }),
    remove: () => send("/threads/t", "DELETE", undefined, { kind: "system", id: "s" }),
    state: async () =>
      (await (await send("/threads/t", "GET", undefined)).json()) as { version: number; state: { count: number } },
    submit: (operation: object, actor = bob) => send("/threads/t/operations", "POST", operation, actor),
    down: line.down,
    up: line.up,
  };
}

const scope = { url: "http://server", actor: ada };
const stored = (storage: ClientStorage, of = scope) => storage.load(of, "t");
const isSaved = (storage: ClientStorage, version: number) =>
  vi.waitFor(async () => expect((await stored(storage)).snapshot?.version).toBe(version), { timeout: 60_000 });

/** A page that was online, and then lost the network. */
async function wasOnline(storage: ClientStorage) {
  const made = await bench();
  const first = made.page(storage);
  first.watch();
  await first.thread.dispatch(add(1));
  await isSaved(storage, 1);
  made.down();
  await until("the loss", () => first.thread.sync.getState().status === "offline");
  return { ...made, first };
}

describe("what waits when the page is reloaded offline", () => {
  it("shows again, on the state of before, and has one effect when the line is back", async () => {
    const storage = memoryStorage();
    const { page, up, state, first } = await wasOnline(storage);
    void first.thread.dispatch(add(10));
    await vi.waitFor(async () => expect((await stored(storage)).edits).toHaveLength(1));
    const second = page(storage);
    second.watch();
    await until("the edit", () => second.thread.getState().count === 11);
    expect(second.thread.sync.getState()).toMatchObject({ ready: true, version: 1, actor: ada, isUnconfirmed: true });
    up();
    second.client.retry();
    first.client.retry();
    await until("the verdict", () => second.thread.sync.getState().pending.length === 0);
    expect(second.thread.sync.getState()).not.toHaveProperty("isUnconfirmed");
    expect(await state()).toMatchObject({ version: 2, state: { count: 11 } });
    await vi.waitFor(async () => expect(await stored(storage)).toMatchObject({ snapshot: { version: 2 }, edits: [] }));
  });

  it("comes before what is edited since", async () => {
    const storage = memoryStorage();
    const { page, up, first } = await wasOnline(storage);
    void first.thread.dispatch({ type: "name", name: "first" });
    await vi.waitFor(async () => expect((await stored(storage)).edits).toHaveLength(1));
    first.client.close();
    const second = page(storage);
    void second.thread.dispatch({ type: "name", name: "second" });
    expect(second.thread.getState().names).toEqual(["second"]);
    await until("both", () => second.thread.getState().names.length === 2);
    expect(second.thread.getState().names).toEqual(["first", "second"]);
    up();
    second.client.retry();
    await until("the verdicts", () => second.thread.sync.getState().pending.length === 0);
    expect(second.thread.getState().names).toEqual(["first", "second"]);
  });

  it("is sent although the state of before is of another version of the definition", async () => {
    const storage = memoryStorage();
    const { page, up, state, first } = await wasOnline(storage);
    void first.thread.dispatch(add(10));
    await vi.waitFor(async () => expect((await stored(storage)).edits).toHaveLength(1));
    first.client.close();
    const second = page(storage, ada, { definition: defineTally(2) });
    second.watch();
    await until("the edit", () => second.thread.getState().count === 10);
    expect(second.thread.sync.getState().ready).toBe(false);
    expect((await stored(storage)).snapshot).toBeUndefined();
    up();
    await until("its effect", () => second.thread.sync.getState().pending.length === 0);
    expect(await state()).toMatchObject({ state: { count: 11 } });
  });

  it("is sent to the thread that was created again", async () => {
    const storage = memoryStorage();
    const { page, up, remove, create, state, first } = await wasOnline(storage);
    void first.thread.dispatch(add(10));
    await vi.waitFor(async () => expect((await stored(storage)).edits).toHaveLength(1));
    first.client.close();
    await remove();
    await create();
    up();
    const second = page(storage);
    second.watch();
    await until(
      "its verdict",
      () => second.thread.sync.getState().status === "online" && second.thread.sync.getState().pending.length === 0,
    );
    expect(await state()).toMatchObject({ version: 1, state: { count: 10 } });
    await until("the new state", () => second.thread.getState().count === 10);
  });
});

describe("what waits when another actor comes", () => {
  it("is not sent, and the page knows which edits those are", async () => {
    const storage = memoryStorage();
    const { page, up, state, first } = await wasOnline(storage);
    void first.thread.dispatch(add(10));
    await vi.waitFor(async () => expect((await stored(storage)).edits).toHaveLength(1));
    first.client.close();
    const second = page(storage, bob);
    second.watch();
    const own = second.thread.dispatch(add(100));
    await until("Ada's state", () => second.thread.getState().count === 111);
    up();
    await until(
      "Bob's state",
      () => second.thread.sync.getState().status === "online" && second.thread.getState().count === 1,
    );
    expect(second.thread.sync.getState()).toMatchObject({ actor: bob, pending: [] });
    expect(second.thread.sync.getState().lost.map(({ operation }) => operation)).toEqual([add(10), add(100)]);
    expect(await own).toMatchObject({ accepted: false, rejection: { reason: "other_actor" } });
    expect(await state()).toMatchObject({ version: 1 });
    // They wait for the actor who made them.
    expect((await stored(storage)).edits.map(({ operation }) => operation)).toContainEqual(add(10));
    await second.thread.dispatch(add(50));
    await vi.waitFor(async () => expect((await stored(storage, { ...scope, actor: bob })).snapshot?.version).toBe(2));
    second.client.close();
    const third = page(storage, ada);
    third.watch();
    await until(
      "Ada's edits",
      () => third.thread.getState().count === 161 && third.thread.sync.getState().pending.length === 0,
    );
    expect(third.thread.sync.getState().lost).toEqual([]);
  });

  it("stays in memory while no actor is known, and is kept once one is", async () => {
    const storage = memoryStorage();
    const { page, down, up } = await bench();
    down();
    const first = page(storage);
    void first.thread.dispatch(add(10));
    expect(first.thread.getState().count).toBe(10);
    await until("an attempt", () => first.thread.sync.getState().status === "offline");
    expect((await stored(storage)).edits).toEqual([]);
    up();
    first.client.retry();
    first.watch();
    await until("the verdict", () => first.thread.sync.getState().pending.length === 0);
    await isSaved(storage, 1);
    expect(await storage.lastActor("http://server")).toEqual(ada);
  });
});

describe("an edit whose tab ended before it could say that it was accepted", () => {
  it("leaves the store with the state that another tab saved, so it shows once", async () => {
    const storage = memoryStorage();
    const never = () => new Promise<never>(() => undefined);
    const { page, down } = await bench();
    const ending = page({ ...storage, saveSnapshot: never, removeEdits: never });
    const other = page(storage);
    for (const { thread, watch } of [ending, other]) {
      watch();
      await thread.ready();
    }
    await ending.thread.dispatch(add(10));
    await isSaved(storage, 1);
    expect((await stored(storage)).edits).toEqual([]);
    down();
    const next = page(storage);
    next.watch();
    await until("the stored state", () => next.thread.getState().count === 10);
    expect(next.thread.sync.getState().pending).toEqual([]);
  });
});

describe("a store that fails", () => {
  it("is reported, and stops nothing", async () => {
    const full = new Error("The disk is full.");
    const storage: ClientStorage = {
      ...memoryStorage(),
      saveEdit: () => Promise.reject(full),
      saveSnapshot: () => Promise.reject(full),
    };
    const { page } = await bench();
    const { thread, watch } = page(storage);
    watch();
    await thread.ready();
    expect(await thread.dispatch(add(1))).toMatchObject({ accepted: true });
    await until("the status", () => thread.sync.getState().storage === full);
  });

  it("that is denied altogether leaves a client in memory", async () => {
    const denied = () => Promise.reject(new Error("denied"));
    const storage = Object.fromEntries(
      Object.keys(memoryStorage()).map((name) => [name, denied]),
    ) as unknown as ClientStorage;
    const { page } = await bench();
    const { thread, watch } = page(storage);
    watch();
    expect(await thread.dispatch(add(1))).toMatchObject({ accepted: true });
    expect(thread.sync.getState().storage).toMatchObject({ message: "denied" });
  });
});

describe("the end of what is kept", () => {
  it("is a sign-out, which warns of what waits", async () => {
    const storage = memoryStorage();
    const { first } = await wasOnline(storage);
    void first.thread.dispatch(add(10));
    const warned = await first.client.signOut();
    expect(warned).toMatchObject({ done: false, waiting: [{ threadId: "t", pending: [{ operation: add(10) }] }] });
    expect(first.thread.sync.getState().pending).toHaveLength(1);
    expect(await first.client.signOut({ anyway: true })).toMatchObject({ done: true });
    expect(first.thread.sync.getState().status).toBe("closed");
    expect(await stored(storage)).toEqual({ edits: [] });
    expect(await storage.lastActor("http://server")).toBeUndefined();
  });

  it("counts what other tabs have stored, and ends their session", async () => {
    const storage = memoryStorage();
    const { page, up, first } = await wasOnline(storage);
    const second = page(storage);
    second.watch();
    await until("its state", () => second.thread.sync.getState().ready);
    void second.thread.dispatch(add(10));
    await vi.waitFor(async () => expect((await stored(storage)).edits).toHaveLength(1));
    const warned = await first.client.signOut();
    expect(warned).toMatchObject({ done: false, waiting: [{ threadId: "t", pending: [{ operation: add(10) }] }] });
    expect(await first.client.signOut({ anyway: true })).toMatchObject({ done: true });
    // No tab tells another one here: the store refuses what the second one saves.
    void second.thread.dispatch(add(20));
    await until("the end", () => second.thread.sync.getState().status === "unauthenticated");
    expect(second.thread.sync.getState()).toMatchObject({ storage: { code: "signed_out" }, isUnconfirmed: true });
    expect(await stored(storage)).toEqual({ edits: [] });
    up();
    second.client.retry();
    await until("the verdicts", () => second.thread.sync.getState().pending.length === 0);
    expect(second.thread.getState().count).toBe(31);
    await isSaved(storage, 3);
    expect(second.thread.sync.getState()).not.toHaveProperty("storage");
  });

  it("is a thread that may no longer be read: its state goes, its edits stay", async () => {
    const storage = memoryStorage();
    const { page, up, remove, first } = await wasOnline(storage);
    void first.thread.dispatch(add(10));
    await vi.waitFor(async () => expect((await stored(storage)).edits).toHaveLength(1));
    await remove();
    up();
    await until("the answer", () => first.thread.sync.getState().status === "not_found");
    await vi.waitFor(async () => expect((await stored(storage)).snapshot).toBeUndefined());
    expect((await stored(storage)).edits).toHaveLength(1);
    void page;
  });
});

describe("a page without a store", () => {
  it("shows a confirmation before it is left while an edit waits, and only then", async () => {
    const { page, down, up } = await bench();
    const listeners = new Set<string>();
    vi.stubGlobal("addEventListener", (name: string) => listeners.add(name));
    vi.stubGlobal("removeEventListener", (name: string) => listeners.delete(name));
    onTestFinished(() => void vi.unstubAllGlobals());
    const first = page(undefined);
    first.watch();
    await first.thread.ready();
    expect(listeners.has("beforeunload")).toBe(false);
    down();
    void first.thread.dispatch(add(1));
    expect(listeners.has("beforeunload")).toBe(true);
    up();
    first.client.retry();
    await until("the verdict", () => first.thread.sync.getState().pending.length === 0);
    expect(listeners.has("beforeunload")).toBe(false);
  });
});

describe("a page while a person's texts are erased", () => {
  it("forgets the snapshot when what a person wrote is erased, and keeps what waits", async () => {
    const { page, submit, redact, state, down, up } = await bench();
    const stored = memoryStorage();
    const dropped: string[] = [];
    const storage: ClientStorage = {
      ...stored,
      dropSnapshot: (scope, threadId) => (dropped.push(threadId), stored.dropSnapshot(scope, threadId)),
    };
    const { client, thread, watch } = page(storage);
    onTestFinished(watch());
    await thread.ready();
    await submit(add(1));
    await until("the edit", () => thread.getState()?.count === 1);
    expect(dropped).toEqual([]);
    expect((await redact(bob)).status).toBe(200);
    await until("the erasure", () => dropped.length > 0);
    down();
    await submit(add(1));
    void thread.dispatch(add(5));
    expect((await redact(bob)).status).toBe(200);
    up();
    client.retry();
    await expect.poll(async () => (await state()).state.count).toBe(7);
    await until("the verdict", () => thread.sync.getState().pending.length === 0);
    expect(thread.getState()?.count).toBe(7);
  });
});
