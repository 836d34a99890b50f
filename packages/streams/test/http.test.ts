// What the server keeps beside the protocol's own tests: limits, hostile input, caching, live ends.

import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createStreamServer, memoryStreams, type StreamStore } from "../src/index.ts";
import { eventsOf } from "./support/events.ts";
import { codeOf, open, ORIGIN } from "./support/server.ts";

const json = { "content-type": "application/json" };

describe("limits", () => {
  it("a body that is too large is not read to its end", async () => {
    const { ask } = open({ limits: { body: 1_000 } });
    await ask("PUT");
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(600));
      },
    });
    expect(await codeOf(await ask("POST", { body, duplex: "half" }))).toBe("413 body_too_large");
    expect(pulled).toBeLessThan(5);
    const known = await ask("POST", { body: "x", headers: { "content-length": "1001" } });
    expect(await codeOf(known)).toBe("413 body_too_large");
  });

  it("a stream, its messages and its producers have bounds that name themselves", async () => {
    const { ask } = open({ limits: { streamBytes: 10, messages: 3, producers: 1 } });
    await ask("PUT", { headers: json });
    const post = (body: string, headers = {}) => ask("POST", { body, headers: { ...json, ...headers } });
    expect(await codeOf(await post("[1,2,3,4]"))).toBe("413 body_too_large");
    expect((await post("[1,2,3]")).status).toBe(204);
    expect(await codeOf(await post('"123456789"'))).toBe("413 stream_too_large");
    const producer = (id: string) => ({ "producer-id": id, "producer-epoch": "0", "producer-seq": "0" });
    expect((await post("4", producer("p"))).status).toBe(200);
    expect(await codeOf(await post("5", producer("q")))).toBe("429 too_many_producers");
  });

  it("options that are none are refused when the server is made", () => {
    const store = memoryStreams();
    for (const options of [{ limits: { body: 0 } }, { sseSeconds: 0 }, { storeTimeout: 0 }, { basePath: "streams/" }])
      expect(() => createStreamServer({ store, insecure: true, ...options })).toThrow(RangeError);
  });
});

describe("JSON", () => {
  it("is given back as it was written", async () => {
    const { ask } = open();
    const items = [
      "1e400",
      "12345678901234567890",
      '{"a":1,"a":2}',
      '"\\u0000,]"',
      '{ "b" : [ 1 , "}" ] }',
      '"\\\\"',
      "-0",
    ];
    await ask("PUT", { headers: json, body: ` [\n${items.join(" ,\n ")}\n] ` });
    expect(await (await ask("GET")).text()).toBe(`[${items.join(",")}]`);
  });

  it("of any kind is one message for each item", async () => {
    const { ask } = open();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 8 }), fc.nat(3), async (values, space) => {
        const path = `/${(count += 1)}`;
        await ask("PUT", { path, headers: json });
        await ask("POST", { path, headers: json, body: JSON.stringify(values, undefined, space) });
        expect(await (await ask("GET", { path })).json()).toEqual(JSON.parse(JSON.stringify(values)));
        expect((await ask("HEAD", { path })).headers.get("stream-next-offset")).toMatch(
          new RegExp(`0${values.length}$`),
        );
      }),
      { numRuns: 200 },
    );
  });

  it("that is none, or not UTF-8, is refused with nothing done", async () => {
    const { ask } = open();
    await ask("PUT", { headers: json });
    for (const body of ["{", "[1,]", "", new Uint8Array([0x22, 0xff, 0x22]), "[".repeat(100_000)])
      expect((await ask("POST", { headers: json, body })).status).toBe(400);
    expect(await (await ask("GET")).text()).toBe("[]");
  });
});

describe("paths and headers", () => {
  it("a path that names no stream is refused", async () => {
    const { ask } = open({ basePath: "/streams" });
    for (const [path, code] of [
      ["/a", "404 not_found"],
      ["/streams", "404 not_found"],
      ["/streams/", "404 not_found"],
      ["/streams/__ds/subscriptions/1", "404 not_found"],
      ["/streams/%00", "400 invalid_id"],
      ["/streams/%ff", "400 invalid_id"],
      [`/streams/${"x".repeat(513)}`, "400 invalid_id"],
    ] as const)
      expect(await codeOf(await ask("PUT", { path }))).toBe(code);
    expect((await ask("PUT", { path: "/streams/a" })).headers.get("location")).toBe(`${ORIGIN}/streams/a`);
  });

  it("a fork names a path of this server", async () => {
    const { ask } = open();
    await ask("PUT", { body: "x" });
    const fork = (from: string) => ask("PUT", { path: "/b", headers: { "stream-forked-from": from } });
    for (const from of ["a", "//other.example/a", "https://other.example/a", "/\\other.example/a"])
      expect(await codeOf(await fork(from))).toBe("400 invalid_header");
    expect((await fork("/a")).status).toBe(201);
  });

  it("other methods are named, and an answer is never a page of its own", async () => {
    const { ask } = open();
    const response = await ask("PATCH");
    expect([response.status, response.headers.get("allow")]).toEqual([405, "DELETE, GET, HEAD, OPTIONS, POST, PUT"]);
    const page = await ask("PUT", { headers: { "content-type": "text/html" }, body: "<script>alert(1)</script>" });
    expect(page.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  });
});

describe("caching", () => {
  it("what was read is the reader's, unless it is public; that there is nothing is cached by no one", async () => {
    for (const caching of ["private", "public"] as const) {
      const { ask } = open({ caching });
      await ask("PUT", { body: "x" });
      const read = async (query: string) => (await ask("GET", { path: `/a${query}` })).headers.get("cache-control");
      expect(await read("")).toBe(`${caching}, max-age=60, stale-while-revalidate=300`);
      expect(await read("?offset=now")).toBe("no-store");
    }
  });

  it("a stream that was made anew has other entity tags", async () => {
    const { ask } = open();
    const tag = async () => {
      await ask("PUT", { body: "x" });
      return (await ask("GET")).headers.get("etag") ?? "";
    };
    const first = await tag();
    await ask("DELETE");
    const second = await tag();
    expect((await ask("GET", { headers: { "if-none-match": first } })).status).toBe(200);
    expect((await ask("GET", { headers: { "if-none-match": `"x", W/${second}, ${second}` } })).status).toBe(304);
  });
});

describe("an event stream", () => {
  it("never cuts a character in two, however its bytes come", async () => {
    const { ask } = open();
    const pieces = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 60, maxLength: 60 });
    const texts = fc.string({
      unit: fc.constantFrom("a", "\u00e4", "\u20ac", "\u{1f600}"),
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(texts, pieces, async (text, sizes) => {
        await ask("PUT");
        const bytes = new TextEncoder().encode(text);
        const events = eventsOf(await ask("GET", { path: "/a?offset=-1&live=sse" }));
        let read = "";
        /** Reads the events of one page, and what a reader gets who comes back with its offset. */
        const readPage = async (): Promise<string> => {
          for (;;) {
            const { value: event } = await events.next();
            if (event?.name === "data") read += event.data;
            else {
              const { streamNextOffset } = JSON.parse(event?.data ?? "") as { readonly streamNextOffset: string };
              return read + (await (await ask("GET", { path: `/a?offset=${streamNextOffset}` })).text());
            }
          }
        };
        await readPage();
        for (let at = 0, size = 0; at < bytes.length; at += size) {
          size = sizes.pop() ?? 1;
          await ask("POST", { body: bytes.slice(at, at + size) });
          expect(await readPage()).toBe(new TextDecoder().decode(bytes.slice(0, at + size)));
          expect(text.startsWith(read)).toBe(true);
        }
        expect(read).toBe(text);
        await ask("DELETE");
      }),
      { numRuns: 100 },
    );
  });

  it("reads no further than its reader", async () => {
    const store = memoryStreams();
    const reading = vi.spyOn(store, "read");
    const { ask } = open({ store, limits: { page: 1 } });
    await ask("PUT", { headers: json, body: JSON.stringify(Array.from({ length: 100 }, (_, index) => index)) });
    const response = await ask("GET", { path: "/a?offset=-1&live=sse" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(reading).toHaveBeenCalledOnce();
    await response.body?.cancel();
  });

  it("ends when its stream is deleted, and another one with the id is not shown", async () => {
    const { ask } = open();
    await ask("PUT", { body: "old" });
    const events = eventsOf(await ask("GET", { path: "/a?offset=-1&live=sse" }));
    await events.next();
    await events.next();
    await ask("DELETE");
    await ask("PUT", { body: "a new one, longer" });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("ends with the server, and a long-poll learns that the server closes", async () => {
    const { ask, server } = open();
    await ask("PUT");
    const events = eventsOf(await ask("GET", { path: "/a?offset=-1&live=sse" }));
    await events.next();
    const polling = ask("GET", { path: "/a?offset=now&live=long-poll" });
    const ending = events.next();
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    expect(await ending).toEqual({ done: true, value: undefined });
    expect(await codeOf(await polling)).toBe("503 closing");
    expect(await codeOf(await ask("GET"))).toBe("503 closing");
  });

  it("ends after its time, with the offset to come back with", async () => {
    const { ask } = open({ sseSeconds: 0.05 });
    await ask("PUT", { body: "x" });
    const seen = [];
    for await (const event of eventsOf(await ask("GET", { path: "/a?offset=-1&live=sse" }))) seen.push(event);
    expect(JSON.parse(seen.at(-1)?.data ?? "")).toMatchObject({
      streamNextOffset: "0000000000000000_0000000000000001",
    });
  });
});

describe("a store that is away", () => {
  const hanging = new Proxy({} as StreamStore, { get: () => () => new Promise(() => {}) });

  it("is 503 in time, and its error stays inside", async () => {
    const onError = vi.fn();
    const store: StreamStore = {
      ...memoryStreams(),
      read: () => Promise.reject(new Error("password=1234")),
    };
    const failing = await open({ store, onError }).ask("GET");
    expect([failing.status, (await failing.text()).includes("1234")]).toEqual([500, false]);
    const { ask } = open({ store: hanging, storeTimeout: 20, onError });
    expect(await codeOf(await ask("GET"))).toBe("503 store_unavailable");
    expect(onError).toHaveBeenCalledTimes(2);
  });
});
