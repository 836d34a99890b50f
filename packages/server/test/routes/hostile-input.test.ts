// Texts that are no ids and keys that no state may have, in every place of every route: answered
// with a problem that says what was wrong, never with 500.

import { defineState, memoryLog } from "@opstate/core";
import { isWellFormed } from "@opstate/core/thread";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { board } from "../support/board.ts";
import { agents, routes } from "../support/rights/routes.ts";
import { ada, createBoard, send, start } from "../support/server.ts";

const shelf = defineState({
  name: "shelf",
  schema: z.object({ items: z.record(z.string(), z.string()), notes: z.array(z.string()) }),
  initial: { items: {}, notes: [] },
  operations: {
    put: {
      input: z.object({ key: z.string(), value: z.string() }),
      apply(draft, { key, value }) {
        draft.items[key] = value;
      },
    },
  },
});

const HALF = "a\ud83d";
const TEXTS = [HALF, "\u0000", "", "..", "__proto__", "constructor", "__overwrite__"];

/** The routes of many threads, which the table of rights cannot have. */
const joint = [
  ["POST", "/events", { threads: { launch: { after: 0, incarnation: "x" } }, wait: 0 }],
  ["POST", "/events/s-1", { follow: { launch: { after: 0 } }, unfollow: ["launch"] }],
  ["POST", "/operations", [{ thread: "launch", operation: { type: "addCard", cardId: "c" }, id: "i" }]],
  [
    "POST",
    "/operations",
    { as: { kind: "user", id: "ada" }, submissions: [{ thread: "launch", operation: { type: "clear" } }] },
  ],
  [
    "POST",
    "/presence",
    { stream: "s-1", tab: "t", threads: { launch: { focus: "/columns", typing: true, data: {} } } },
  ],
] as const;

const all = [
  ...routes.map(([, method, path, body]) => [method, path("launch"), body("launch")] as const),
  ...joint,
  ["GET", "/threads?limit=1&after=x", undefined] as const,
  ["GET", "/threads/launch/history?after=0&before=1&limit=1&order=ascending&rejections=true", undefined] as const,
  ["GET", "/threads/launch/proposals/p?proposedAt=1", undefined] as const,
  ["GET", "/threads/launch/events?after=0&incarnation=x", undefined] as const,
];

/** The value with one text, or one name of a member, replaced: once for each place. */
function* withText(value: unknown, text: string): Generator {
  if (typeof value === "string") yield text;
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const changed of withText(item, text)) yield value.with(index, changed);
    return;
  }
  const entries = Object.entries(value);
  for (const [index, [key, member]] of entries.entries()) {
    yield Object.fromEntries(entries.with(index, [text, member]));
    for (const changed of withText(member, text)) yield Object.fromEntries(entries.with(index, [key, changed]));
  }
  yield Object.fromEntries([...entries, [text, 1]]);
  yield Object.fromEntries([...entries, [text, { [text]: text }]]);
}

/** Each part of a path, and each value of its query, replaced. A half of a pair as its bytes. */
function* pathsWithText(path: string, text: string): Generator<string> {
  const encoded = isWellFormed(text) ? encodeURIComponent(text) : `${encodeURIComponent(text.slice(0, -1))}%ED%A0%BD`;
  const [place = "", query] = path.split("?");
  const parts = place.split("/");
  const rest = query === undefined ? "" : `?${query}`;
  for (const index of parts.keys()) if (index > 0) yield parts.with(index, encoded).join("/") + rest;
  const members = query?.split("&") ?? [];
  for (const [index, member] of members.entries())
    yield `${place}?${members.with(index, `${member.split("=")[0]}=${encoded}`).join("&")}`;
}

describe("no route fails", () => {
  it.each([...new Set(all.map(([method, path]) => `${method} ${path}`))])("at hostile input: %s", async (name) => {
    const { server, url, errors } = await start({ agents });
    await createBoard(url);
    const same = all.filter(([method, path]) => `${method} ${path}` === name);
    let sent = 0;
    const check = async (method: string, path: string, body: unknown) => {
      sent += 1;
      const request = new Request(url + path, {
        method,
        headers: { ...ada, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      // In process: there are thousands of them.
      const response = await server.fetch(request);
      const what = `${method} ${path} ${JSON.stringify(body)}`;
      expect(response.status, what).toBeLessThan(500);
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
      if (response.status >= 400)
        expect((await response.json()).detail, what).toEqual(expect.stringMatching(/\S+ \S+/));
      else if (!isStream) expect(await response.text(), what).not.toMatch(/"status":5\d\d/);
      await response.body?.cancel().catch(() => undefined);
      // What deletes the thread, or another one of its name, must not spare those after it.
      if (method === "DELETE") await createBoard(url);
    };
    for (const [method, path, body] of same)
      for (const text of TEXTS) {
        for (const changed of withText(body, text)) await check(method, path, changed);
        for (const changed of pathsWithText(path, text)) await check(method, changed, body);
      }
    expect(sent).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });
});

const logs = { memory: () => memoryLog(), SQLite: () => sqliteLog({ path: ":memory:" }) };

describe.each(Object.entries(logs))("on %s", (_name, open) => {
  async function serve() {
    const log = open();
    onTestFinished(() => log.close());
    const { url, errors } = await start({ log, definitions: [board, shelf] });
    const thread = `${url}/threads/s`;
    await send(thread, "PUT", { definition: "shelf" });
    const put = (key: string, value: string) => send(`${thread}/operations`, "POST", { type: "put", key, value });
    return { log, url, errors, thread, put };
  }

  it("a key that no state may have is refused with words", async () => {
    const { errors, thread, put } = await serve();
    expect(await put("__proto__", "x")).toMatchObject({
      status: 422,
      body: { code: "invalid_state", detail: expect.stringContaining("/items/__proto__ is a key that is not allowed") },
    });
    expect((await send(thread, "GET")).body).toMatchObject({ version: 0, state: { items: {} } });
    expect(errors).toEqual([]);
  });

  it("texts with half of a surrogate pair, as keys and as content, are kept as they are", async () => {
    const { errors, thread, put } = await serve();
    for (const key of [HALF, "a\ud83e", "a\ufffd"]) expect((await put(key, key)).status).toBe(200);
    const expected = { [HALF]: HALF, "a\ud83e": "a\ud83e", "a\ufffd": "a\ufffd" };
    expect((await send(thread, "GET")).body.state.items).toEqual(expected);
    expect((await send(`${thread}/states/3`, "GET")).body.state.items).toEqual(expected);
    expect(errors).toEqual([]);
  });

  it("ids are compared sign by sign: no form is normalized, nothing invisible is left out", async () => {
    const { url } = await serve();
    const ids = ["caf\u00e9", "cafe\u0301", "cafe\u200b", "cafe\u200d", "CAFE\u0301", "\u0441afe"];
    for (const [index, id] of ids.entries()) {
      const at = `${url}/threads/${encodeURIComponent(id)}`;
      expect((await send(at, "PUT", { definition: "shelf" })).status, JSON.stringify(id)).toBe(201);
      await send(`${at}/operations`, "POST", {
        id: "same",
        operation: { type: "put", key: "n", value: String(index) },
      });
    }
    for (const [index, id] of ids.entries())
      expect((await send(`${url}/threads/${encodeURIComponent(id)}`, "GET")).body.state.items).toEqual({
        n: String(index),
      });
  });
});
