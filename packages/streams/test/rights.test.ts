// Who may do what, and for how long.

import { describe, expect, it, vi } from "vitest";
import { memoryStreams, type StreamAccess, type StreamRight } from "../src/index.ts";
import { eventsOf } from "./support/events.ts";
import { codeOf, open, ORIGIN } from "./support/server.ts";

const ada = { kind: "user", id: "ada" };

/** A server where Ada has what `rights` has at the time. */
function openFor(rights: Set<StreamRight>, access: Partial<StreamAccess> = {}) {
  const asked: string[] = [];
  const store = memoryStreams();
  const opened = open({
    store,
    authorize: (request) =>
      request.headers.get("authorization") === "Bearer nobody"
        ? null
        : {
            actor: ada,
            allows(id, right) {
              asked.push(`${right} ${id}`);
              return rights.has(right);
            },
            ...access,
          },
  });
  return { ...opened, asked, store };
}

const all: readonly StreamRight[] = ["create", "append", "read", "delete"];

describe("rights", () => {
  it.each([
    ["PUT", "create"],
    ["POST", "append"],
    ["GET", "read"],
    ["HEAD", "read"],
    ["DELETE", "delete"],
  ] as const)("%s needs the right %s, whether or not there is such a stream", async (method, right) => {
    const rights = new Set(all.filter((one) => one !== right));
    const { ask, asked } = openFor(rights);
    for (const path of ["/a", "/none"]) {
      const response = await ask(method, { path, ...(method === "PUT" || method === "POST" ? { body: "x" } : {}) });
      expect(response.status).toBe(403);
    }
    expect(asked).toEqual([`${right} a`, `${right} none`]);
  });

  it("an unknown sender gets 401", async () => {
    const { ask } = openFor(new Set(all));
    const response = await ask("GET", { headers: { authorization: "Bearer nobody" } });
    expect(await codeOf(response)).toBe("401 unauthenticated");
  });

  it("only `true` grants", async () => {
    const { ask } = openFor(new Set(), { allows: (() => "yes") as never });
    expect((await ask("PUT")).status).toBe(403);
  });

  it("no byte of a body is read before its right was checked", async () => {
    const pull = vi.fn();
    const { ask } = openFor(new Set());
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    expect((await ask("POST", { body, duplex: "half" })).status).toBe(403);
    expect(pull).not.toHaveBeenCalled();
  });

  it("a fork needs to read its source", async () => {
    const { ask, asked } = openFor(new Set(["create"]));
    await ask("PUT", { body: "secret" });
    const fork = await ask("PUT", { path: "/b", headers: { "stream-forked-from": "/a" } });
    expect(await codeOf(fork)).toBe("403 not_allowed");
    expect(asked.at(-1)).toBe("read a");
  });

  it("the id that is checked is the one of the path, decoded once", async () => {
    const { ask, asked } = openFor(new Set(all));
    await ask("PUT", { path: "/x/../ada%2Fnotes%252F/" });
    expect(asked).toEqual(["create ada/notes%2F/"]);
  });

  it("the application's error is 500, and says nothing", async () => {
    const onError = vi.fn();
    const { ask } = open({
      onError,
      authorize: () => {
        throw new Error("the database's password is 1234");
      },
    });
    const response = await ask("GET");
    expect(await response.text()).not.toContain("1234");
    expect(response.status).toBe(500);
    expect(onError).toHaveBeenCalledOnce();
  });
});

describe("a reader who follows", () => {
  async function follow(access: Partial<StreamAccess> = {}) {
    const rights = new Set(all);
    const opened = openFor(rights, access);
    await opened.ask("PUT", { body: "first" });
    const response = await opened.ask("GET", { path: "/a?offset=-1&live=sse" });
    const events = eventsOf(response);
    expect((await events.next()).value).toEqual({ name: "data", data: "first" });
    await events.next();
    return { ...opened, rights, events };
  }

  it("gets nothing more once a right was revoked", async () => {
    const { ask, rights, events, server } = await follow();
    rights.delete("read");
    await server.revoke({ actor: ada, streamId: "a" });
    await ask("POST", { body: "secret" });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("goes on when it was checked again and may still read", async () => {
    const { ask, events, server } = await follow();
    await server.revoke();
    await ask("POST", { body: "second" });
    expect((await events.next()).value).toEqual({ name: "data", data: "second" });
  });

  it("gets nothing that is appended after its credentials expired, when no timer has run", async () => {
    const { store, rights, events } = await follow({ expiresAt: new Date(Date.now() + 30_000) });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    try {
      rights.delete("read");
      await store.append("a", { messages: [new TextEncoder().encode("secret")] });
      expect(await events.next()).toEqual({ done: true, value: undefined });
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not get what came when its right ended while it waited", async () => {
    const store = memoryStreams();
    const rights = new Set(all);
    const isWatched = new Promise<void>((resolve) => {
      const { watch } = store;
      vi.spyOn(store, "watch").mockImplementation((id, onChange) => {
        resolve();
        return watch(id, onChange);
      });
    });
    const { ask } = open({ store, authorize: () => ({ actor: ada, allows: (_, right) => rights.has(right) }) });
    await ask("PUT");
    const polling = ask("GET", { path: "/a?offset=-1&live=long-poll" });
    await isWatched;
    rights.delete("read");
    await ask("POST", { body: "secret" });
    expect(await codeOf(await polling)).toBe("403 not_allowed");
  });

  it("is ended when the check of its right fails", async () => {
    const onError = vi.fn();
    let isBroken = false;
    const { ask, server } = open({
      onError,
      authorize() {
        if (isBroken) throw new Error("away");
        return { actor: ada, allows: () => true };
      },
    });
    await ask("PUT");
    const events = eventsOf(await ask("GET", { path: "/a?offset=-1&live=sse" }));
    await events.next();
    isBroken = true;
    await server.revoke();
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(onError).toHaveBeenCalledOnce();
  });

  it("is one of so many of an actor", async () => {
    const { ask, server } = open({ limits: { readers: 1 } });
    await ask("PUT");
    const first = await ask("GET", { path: "/a?offset=-1&live=sse" });
    expect(await codeOf(await ask("GET", { path: "/a?offset=-1&live=sse" }))).toBe("429 too_many_readers");
    await first.body?.cancel();
    const second = await ask("GET", { path: "/a?offset=-1&live=sse" });
    expect(second.status).toBe(200);
    await server.close();
  });
});

describe("a server without `authorize`", () => {
  it("is not made by mistake", () => {
    expect(() => open({ insecure: false })).toThrow(/needs `authorize`/);
  });

  it("listens on loopback only", async () => {
    const { server } = open();
    await expect(server.listen({ hostname: "0.0.0.0" })).rejects.toMatchObject({ code: "insecure_server" });
  });

  it("answers to no other name, so no other site can read it through its domain", async () => {
    const { server } = open();
    expect((await server.fetch(new Request("http://attacker.example/a"))).status).toBe(403);
  });

  it("refuses pages of other origins", async () => {
    const { ask } = open({ origins: ["https://app.example.com"] });
    expect((await ask("PUT", { headers: { origin: "https://attacker.example" } })).status).toBe(403);
    const listed = await ask("PUT", { headers: { origin: "https://app.example.com" } });
    expect([listed.status, listed.headers.get("access-control-allow-origin")]).toEqual([
      201,
      "https://app.example.com",
    ]);
    expect((await ask("GET", { headers: { origin: ORIGIN } })).status).toBe(200);
  });
});

it("streams of two servers on one store are bounded by who made them", async () => {
  const store = memoryStreams();
  const authorize = (id: string) => () => ({ actor: { kind: "user", id }, allows: () => true });
  const limits = { streams: 1 };
  const [one, two] = ["ada", "bob"].map((id) => open({ store, authorize: authorize(id), limits }));
  expect((await one?.ask("PUT", { path: "/1" }))?.status).toBe(201);
  expect((await one?.ask("PUT", { path: "/2" }))?.status).toBe(429);
  expect((await two?.ask("PUT", { path: "/2" }))?.status).toBe(201);
});
