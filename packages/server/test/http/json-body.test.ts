// Any body gets at worst a problem document with a 4xx status, and leaves the state unchanged.

import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeeperThan } from "../../src/http/json-depth.ts";
import { addCard } from "../support/board.ts";
import { ada, createBoard, send, start } from "../support/server.ts";

interface Raw {
  readonly status: number;
  readonly type: string | undefined;
  readonly problem: { readonly code?: string; readonly status?: number };
}

/** Sends raw bytes; with `chunked`, without a content length. */
function post(
  url: string,
  body: string | Buffer,
  headers: Record<string, string> = { "content-type": "application/json" },
  chunked = false,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const length = chunked ? {} : { "content-length": Buffer.byteLength(body) };
    const outgoing = httpRequest(url, { method: "POST", headers: { ...ada, ...headers, ...length } }, (incoming) => {
      let text = "";
      incoming.on("data", (chunk: Buffer) => (text += chunk.toString()));
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          type: incoming.headers["content-type"],
          problem: JSON.parse(text),
        }),
      );
    });
    outgoing.on("error", reject);
    if (chunked) for (let at = 0; at < body.length; at += 16_384) outgoing.write(body.slice(at, at + 16_384));
    outgoing.end(chunked ? undefined : body);
  });
}

const nested = (depth: number, inner = "1") => "[".repeat(depth) + inner + "]".repeat(depth);
const card = JSON.stringify(addCard("c9"));

const hostile: Record<string, readonly [body: string | Buffer, status: number, code: string]> = {
  "no body": ["", 400, "not_json"],
  "not JSON": ["move T-42 to Done", 400, "not_json"],
  "cut off JSON": [card.slice(0, -1), 400, "not_json"],
  "two values": [card + card, 400, "not_json"],
  "bytes that are not UTF-8": [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, "not_json"],
  null: ["null", 400, "invalid_body"],
  "a number": ["42", 400, "invalid_body"],
  "an object of no known shape": ['{"columns":[]}', 400, "invalid_body"],
  "an unknown member": ['{"operation":{"type":"addCard"},"role":"admin"}', 400, "invalid_body"],
  "an id that is not text": ['{"id":7,"operation":{"type":"addCard"}}', 400, "invalid_body"],
  "a version below 0": ['{"operation":{"type":"addCard"},"expectedVersion":-1}', 400, "invalid_body"],
  "an empty list": ["[]", 400, "invalid_body"],
  "a list too long": [JSON.stringify(Array.from({ length: 257 }, () => addCard("c9"))), 400, "invalid_body"],
  "a list with one bad item": [`[${card},7]`, 400, "invalid_body"],
  "an actor beside the operation": [
    '{"actor":{"kind":"system","id":"root"},"operation":{"type":"clear","columnId":"todo"}}',
    400,
    "actor_in_body",
  ],
  "an actor in a bare operation": [
    '{"type":"clear","columnId":"todo","actor":{"kind":"agent","id":"x"}}',
    400,
    "actor_in_body",
  ],
  "an actor in a list": [`[${card},{"operation":{"type":"clear"},"actor":null}]`, 400, "actor_in_body"],
  "an unknown operation": ['{"type":"dropTables"}', 422, "unknown_operation"],
  "an operation of the wrong shape": ['{"type":"addCard","columnId":["todo"]}', 422, "invalid_operation"],
  "an own __proto__": [
    '{"type":"addCard","columnId":"todo","cardId":"c9","title":"x","__proto__":{"admin":true}}',
    422,
    "invalid_operation",
  ],
  "1 MB": [JSON.stringify(addCard("c9", "x".repeat(1_000_000))), 413, "body_too_large"],
  "1 MB of spaces": [" ".repeat(1_000_000), 413, "body_too_large"],
  "nested 10,000 deep": [nested(10_000), 413, "body_too_large"],
  "nested 10,000 deep, never closed": ["[".repeat(10_000), 413, "body_too_large"],
  "nested 10,000 deep inside an operation": [`{"type":"addCard","title":${nested(10_000)}}`, 413, "body_too_large"],
  "nested objects 10,000 deep": ['{"a":'.repeat(10_000) + "1" + "}".repeat(10_000), 413, "body_too_large"],
};

describe("hostile bodies", () => {
  it.each(Object.entries(hostile))("%s", async (_name, [body, status, code]) => {
    const { url, errors } = await start();
    const thread = await createBoard(url);
    await send(`${thread}/operations`, "POST", addCard("c1"));
    const before = await (await fetch(thread, { headers: ada })).text();
    for (const chunked of [false, true]) {
      const answer = await post(`${thread}/operations`, body, undefined, chunked);
      expect(answer).toMatchObject({ status, type: "application/problem+json", problem: { code, status } });
    }
    expect(await (await fetch(thread, { headers: ada })).text()).toBe(before);
    expect(errors).toEqual([]);
    expect(await send(`${thread}/operations`, "POST", addCard("c2"))).toMatchObject({ status: 200 });
  });

  it("with another content type, as a form of another site would send", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "text/json",
      "",
    ]) {
      expect(await post(`${thread}/operations`, card, type === "" ? {} : { "content-type": type })).toMatchObject({
        status: 415,
        problem: { code: "unsupported_media_type" },
      });
    }
    expect(
      await post(`${thread}/operations`, card, { "content-type": "Application/JSON; charset=utf-8" }),
    ).toMatchObject({ status: 200 });
  });

  it("are refused before a large one was sent whole", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = httpRequest(
        `${thread}/operations`,
        { method: "POST", headers: { ...ada, "content-type": "application/json" } },
        (incoming) => {
          resolve(incoming.statusCode);
          outgoing.destroy();
        },
      );
      outgoing.on("error", reject);
      // The body never ends, so the response must come while it is read.
      outgoing.write(" ".repeat(400_000));
    });
    expect(answer).toBe(413);
  });

  it("of any JSON are answered with a verdict or a problem, never with a failure", async () => {
    const { url, errors } = await start();
    const thread = await createBoard(url);
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), async (body) => {
        const before = (await send(thread, "GET")).body;
        const { status, problem } = await post(`${thread}/operations`, body);
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
        expect(problem.code).toBeTypeOf("string");
        expect((await send(thread, "GET")).body).toEqual(before);
      }),
      { numRuns: 150 },
    );
    expect(errors).toEqual([]);
  });
});

describe("thread ids", () => {
  it("that are invalid are refused", async () => {
    const { url } = await start();
    for (const id of ["%00", "a%2Fb", "a%5Cb", "a%20b", "%0A", "x".repeat(201), "%3Fx"]) {
      expect(await send(`${url}/threads/${id}`, "PUT", { definition: "board" }), id).toMatchObject({
        status: 400,
        body: { code: "invalid_id" },
      });
    }
    for (const id of ["a.b_c~d", "ada@example.com", "%C3%A9", "team:7"]) {
      expect(await send(`${url}/threads/${id}`, "PUT", { definition: "board" }), id).toMatchObject({
        status: 201,
        body: { threadId: decodeURIComponent(id) },
      });
    }
  });
});

describe("the depth of a JSON text", () => {
  const depthOf = (value: unknown): number =>
    typeof value !== "object" || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

  it("is that of the parsed value, without brackets in strings", () => {
    const brackets = fc.string({ unit: fc.constantFrom("[", "{", "]", "}", '"', "\\", "a"), maxLength: 8 });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 8, depthSize: "large" },
        brackets,
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(brackets, tie("tree"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.boolean(), (value, spaced) => {
        const bytes = new TextEncoder().encode(JSON.stringify(value, null, spaced ? 2 : 0));
        const depth = depthOf(value);
        expect(isDeeperThan(bytes, depth)).toBe(false);
        if (depth > 0) expect(isDeeperThan(bytes, depth - 1)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
