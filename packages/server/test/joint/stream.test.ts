// One stream for many threads: each begins, goes on and ends alone.

import { memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { follow, openJoint, type Position } from "../support/joint.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const post = (thread: string, body: unknown) => send(`${thread}/operations`, "POST", body);

async function withBoards(...ids: string[]) {
  const running = await start();
  for (const id of ids) await createBoard(running.url, id);
  return { ...running, at: (id: string) => `${running.url}/threads/${id}` };
}

const open = (url: string, body: unknown, headers: Record<string, string> = ada) =>
  send(`${url}/events`, "POST", body, headers);

describe("a stream of many threads", () => {
  it("begins with when to come back, how it is called, and which actor it is for", async () => {
    const { url } = await withBoards();
    const events = await openJoint(url, {});
    expect(Object.fromEntries(events.response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
    });
    const [, data] = /^retry: \d+\n\nevent: hello\ndata: (.*)\n\n$/.exec(events.text()) ?? [];
    expect(JSON.parse(data ?? "")).toEqual({
      type: "hello",
      stream: expect.stringMatching(/^s-[0-9a-f]{32}$/),
      session: expect.stringMatching(/^p-[0-9a-f]{32}$/),
      actor: { kind: "user", id: "ada" },
    });
  });

  it("has fifty threads, each with its own welcome, snapshot and commits", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const { url, at } = await withBoards(...ids);
    const events = await openJoint(url, follow(ids));
    const begun = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (let count = 0; count < 100; count += 1) {
      const { thread, type } = await events.message();
      begun.get(thread)?.push(type);
    }
    expect([...begun.values()]).toEqual(ids.map(() => ["welcome", "snapshot"]));
    for (const id of ids) {
      await post(at(id), addCard("c1"));
      expect(await events.message()).toMatchObject({ thread: id, type: "commits", commits: [{ version: 1 }] });
    }
  });

  it("has the bytes of each thread's own stream, without ids", async () => {
    const { url, at } = await withBoards("a");
    const own = await readEvents(`${at("a")}/events`);
    const joint = await openJoint(url, follow(["a"]));
    await own.until(0);
    await joint.of("snapshot");
    await post(at("a"), addCard("c1", "Card é 👍"));
    await send(`${at("a")}/operations`, "POST", { type: "fly" }, asUser("bob", "write"));
    await post(at("a"), addCard("c2"));
    await own.until(2);
    await joint.find(({ type, commits }) => type === "commits" && commits[0].version === 2);
    const frames = own
      .text()
      .split("\n\n")
      .slice(1)
      .map((frame) => frame.replace(/^id: \d+\n/, ""));
    expect(joint.text().split("\n\n").slice(2)).toEqual(frames);
    expect(joint.text()).not.toContain("\nid:");
  });

  it("continues each thread from its position, unless that is of another incarnation", async () => {
    const { url, at } = await withBoards("a", "b", "c");
    const { incarnation } = (await send(at("a"), "GET")).body;
    for (const id of ["a", "b", "c"]) await post(at(id), [addCard("c1"), addCard("c2")]);
    const positions: Record<string, Position> = {
      a: { after: 1, incarnation },
      b: { after: 1, incarnation: "0123456789abcdef0123456789abcdef" },
      c: { after: 3 },
    };
    const events = await openJoint(url, positions);
    const first = new Map<string, object>();
    while (first.size < 3) {
      const message = await events.find(({ type }) => type !== "welcome");
      first.set(message.thread, message);
    }
    expect(first.get("a")).toMatchObject({ type: "commits", commits: [{ version: 2 }] });
    expect(first.get("b")).toMatchObject({ type: "snapshot", snapshot: { version: 2 } });
    expect(first.get("c")).toMatchObject({ type: "snapshot", snapshot: { version: 2 } });
  });

  it("continues without a gap when it catches up while commits arrive", async () => {
    const { url, at } = await withBoards("a", "b");
    for (const id of ["a", "b"])
      await post(
        at(id),
        Array.from({ length: 250 }, (_, index) => addCard(`c${index + 1}`)),
      );
    const events = await openJoint(url, { a: { after: 0 }, b: { after: 100 } });
    const seen: Record<string, number[]> = { a: [], b: [] };
    const reading = (async () => {
      while (seen["a"]?.at(-1) !== 300 || seen["b"]?.at(-1) !== 300) {
        const { thread, commits } = await events.of("commits");
        for (const { version } of commits) seen[thread]?.push(version);
      }
    })();
    for (let index = 251; index <= 300; index += 1)
      await Promise.all([post(at("a"), addCard(`c${index}`)), post(at("b"), addCard(`c${index}`))]);
    await reading;
    expect(seen["a"]).toEqual(Array.from({ length: 300 }, (_, index) => 1 + index));
    expect(seen["b"]).toEqual(Array.from({ length: 200 }, (_, index) => 101 + index));
  });

  it("reports what a thread lacks as a problem of that thread alone", async () => {
    const { url, at } = await withBoards("a", "secret");
    const events = await openJoint(url, follow(["nowhere", "secret", "no id", "a"]));
    const problems = new Map<string, object>();
    while (problems.size < 3) {
      const problem = await events.of("problem");
      problems.set(problem.thread, problem);
    }
    const told = { type: "problem", title: expect.any(String), detail: expect.any(String) };
    expect(Object.fromEntries(problems)).toEqual({
      nowhere: { ...told, thread: "nowhere", status: 404, code: "unknown_thread" },
      secret: { ...told, thread: "secret", status: 403, code: "not_allowed" },
      "no id": { ...told, thread: "no id", status: 400, code: "invalid_id" },
    });
    await post(at("a"), addCard("c1"));
    expect(await events.of("commits")).toMatchObject({ thread: "a" });
  });

  it("leaves out what is unfollowed, and begins what is followed again", async () => {
    const { url, at } = await withBoards("a", "b");
    const events = await openJoint(url, follow(["a"]));
    await events.of("snapshot", "a");
    expect(await events.change({ follow: follow(["b"]), unfollow: ["a", "never"] })).toBe(204);
    expect(await events.message()).toMatchObject({ thread: "b", type: "welcome" });
    await events.of("snapshot", "b");
    await post(at("a"), addCard("c1"));
    await post(at("b"), addCard("c1"));
    expect(await events.message()).toMatchObject({ thread: "b", type: "commits" });
    await events.change({ follow: { b: { after: 0 }, a: {} } });
    const again = [await events.of("commits", "b"), await events.of("snapshot", "a")];
    expect(again).toMatchObject([{ commits: [{ version: 1 }] }, { snapshot: { version: 1 } }]);
    // Each commit comes once, whatever was followed before.
    await post(at("b"), addCard("c2"));
    await post(at("b"), addCard("c3"));
    expect(await events.message()).toMatchObject({ thread: "b", commits: [{ version: 2 }] });
    expect(await events.message()).toMatchObject({ thread: "b", commits: [{ version: 3 }] });
  });

  it("gets a thread that is created after it was followed, when it follows again", async () => {
    const { url } = await withBoards();
    const events = await openJoint(url, follow(["late"]));
    expect(await events.message()).toMatchObject({ thread: "late", type: "problem", code: "unknown_thread" });
    await createBoard(url, "late");
    await events.change({ follow: follow(["late"]) });
    expect(await events.message()).toMatchObject({ thread: "late", type: "welcome" });
    expect(await events.message()).toMatchObject({ thread: "late", type: "snapshot" });
  });

  it("goes on when one of its threads is deleted", async () => {
    const { url, at } = await withBoards("a", "b");
    const events = await openJoint(url, follow(["a", "b"]));
    for (const id of ["a", "b"]) await events.of("snapshot", id);
    await send(at("a"), "DELETE");
    expect(await events.message()).toMatchObject({ thread: "a", type: "problem", status: 404, code: "unknown_thread" });
    await post(at("b"), addCard("c1"));
    expect(await events.message()).toMatchObject({ thread: "b", type: "commits" });
  });

  it("has branches too, under the rights of their parent", async () => {
    const { url, at } = await withBoards("a");
    await send(`${at("a")}/branches`, "POST", { name: "x" });
    const events = await openJoint(url, follow(["a~x"]));
    expect(await events.message()).toMatchObject({ thread: "a~x", type: "welcome", branch: true });
    await events.of("snapshot");
    await post(at("a~x"), addCard("c1"));
    expect(await events.message()).toMatchObject({ thread: "a~x", type: "commits" });
    await send(at("a"), "DELETE");
    expect(await events.message()).toMatchObject({ thread: "a~x", type: "problem", code: "unknown_thread" });
  });

  it("exists for its actor and its process only, while it is open", async () => {
    const log = memoryLog();
    const first = await start({ log });
    const second = await start({ log });
    await createBoard(first.url, "a");
    const events = await openJoint(first.url, {});
    const change = (url: string, headers = ada) =>
      send(`${url}/events/${events.stream}`, "POST", { follow: { a: {} } }, headers);
    for (const answer of [await change(second.url), await change(first.url, asUser("bob", "read"))])
      expect(answer).toMatchObject({ status: 404, body: { code: "unknown_stream" } });
    expect(await change(first.url)).toMatchObject({ status: 204 });
    await events.of("snapshot", "a");
    events.close();
    await expect.poll(async () => (await change(first.url)).status).toBe(404);
  });

  it("is one for POST alone", async () => {
    const { url, server } = await withBoards();
    for (const method of ["HEAD", "GET"]) {
      const response = await fetch(`${url}/events`, { method, headers: ada });
      expect(response.status).toBe(404);
      await response.body?.cancel();
    }
    await server.close();
  });

  it("is refused as a whole only for its shape, and nothing is changed then", async () => {
    const { url, at } = await withBoards("a");
    const many = follow(Array.from({ length: 501 }, (_, index) => `t${index}`));
    const refused: [body: unknown, code: string, words: string][] = [
      [{}, "invalid_body", "threads"],
      [{ threads: [] }, "invalid_body", "threads"],
      [{ threads: { a: null } }, "invalid_body", '"a"'],
      [{ threads: { a: { after: -1 } } }, "invalid_body", "after"],
      [{ threads: { a: { incarnation: 7 } } }, "invalid_body", "incarnation"],
      [{ threads: { a: { version: 7 } } }, "invalid_body", "version"],
      [{ threads: {}, wait: 26 }, "invalid_body", "25"],
      [{ threads: {}, wait: "1" }, "invalid_body", "wait"],
      [{ threads: {}, actor: {} }, "actor_in_body", "actor"],
      [{ threads: {}, more: 1 }, "invalid_body", "more"],
      [{ threads: many }, "too_many_threads", "500"],
    ];
    for (const [body, code, words] of refused)
      expect(await open(url, body)).toMatchObject({
        status: 400,
        body: { code, detail: expect.stringContaining(words) },
      });
    const events = await openJoint(url, follow(["a"]));
    await events.of("snapshot");
    const changes = [
      { follow: many },
      { follow: [] },
      { unfollow: {} },
      { unfollow: ["a"], follow: { b: 1 } },
      { unfollow: ["a"], follow: many },
    ];
    for (const body of changes)
      expect(await send(`${url}/events/${events.stream}`, "POST", body)).toMatchObject({ status: 400 });
    await post(at("a"), addCard("c1"));
    expect(await events.message()).toMatchObject({ thread: "a", type: "commits" });
  });

  it("needs credentials, and no right", async () => {
    const { url } = await withBoards();
    expect(await open(url, { threads: {} }, {})).toMatchObject({ status: 401 });
    expect((await openJoint(url, {}, asUser("eve"))).response.status).toBe(200);
  });

  it("may be opened by pages of other origins with their cookies", async () => {
    const { url } = await start({ origins: ["https://app.example.com"] });
    const origin = { origin: "https://app.example.com" };
    const preflight = await fetch(`${url}/events`, {
      method: "OPTIONS",
      headers: { ...origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });
    const events = await openJoint(url, {}, { ...ada, ...origin });
    for (const { headers } of [preflight, events.response])
      expect(Object.fromEntries(headers)).toMatchObject({
        "access-control-allow-origin": "https://app.example.com",
        "access-control-allow-credentials": "true",
      });
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type");
    expect(await open(url, { threads: {} }, { ...ada, origin: "https://evil.example" })).toMatchObject({ status: 403 });
  });

  it("ends when the server closes, and says to its reader when to come back", async () => {
    const { url, server } = await withBoards("a");
    const events = await openJoint(url, follow(["a"]));
    await events.of("snapshot");
    await server.close();
    await events.ended();
    expect(events.text()).toMatch(/\n\nretry: \d+\n\n$/);
  });

  it("begins a thread with a snapshot when its commits were compacted in the meantime", async () => {
    const log = memoryLog();
    const first = await start({ log });
    const thread = await createBoard(first.url, "a");
    await post(
      thread,
      Array.from({ length: 20 }, (_, index) => addCard(`c${index}`)),
    );
    await send(`${thread}/compact`, "POST", { keep: 2 });
    const events = await openJoint(first.url, { a: { after: 3 } });
    expect(await events.of("snapshot")).toMatchObject({ snapshot: { version: 20 } });
  });
});

describe("a slow reader of many threads", () => {
  const note = (cardId: string, text: string) => board.op.annotate({ cardId, note: text });

  /** Reads nothing by itself. */
  async function openUnread(server: { fetch(request: Request): Promise<Response> }, url: string, threads: object) {
    const request = new Request(`${url}/events`, {
      method: "POST",
      headers: { ...ada, "content-type": "application/json" },
      body: JSON.stringify({ threads }),
    });
    const response = await server.fetch(request);
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    async function read(): Promise<string> {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error("The stream has ended.");
      return decoder.decode(value, { stream: true });
    }
    return { read };
  }

  it("is disconnected at 256 KB of all its threads together", async () => {
    const { url, server, at } = await withBoards("a", "b", "c");
    const { read } = await openUnread(server, url, follow(["a", "b", "c"]));
    let text = "";
    while ((text.match(/event: snapshot/g) ?? []).length < 3) text += await read();
    for (const id of ["a", "b", "c"]) await post(at(id), addCard("c1"));
    // A commit has its note twice: about 120 KB.
    for (const id of ["a", "b", "c"]) await post(at(id), note("c1", id.repeat(60_000)));
    await post(at("c"), addCard("c2"));
    await expect(
      (async () => {
        for (;;) await read();
      })(),
    ).rejects.toThrow("too slow");
  });

  it("gets every thread in turns, so that a long history delays no other one", async () => {
    const { url, server, at } = await withBoards("long", "short");
    await post(at("long"), addCard("c1"));
    for (let round = 0; round < 40; round += 1) await post(at("long"), note("c1", String(round % 10).repeat(20_000)));
    await post(at("short"), addCard("c1"));
    const { read } = await openUnread(server, url, { long: { after: 0 }, short: { after: 0 } });
    let text = "";
    const versionsOf = (thread: string) =>
      [...text.matchAll(new RegExp(`"thread":"${thread}","type":"commits","commits":\\[\\{"version":(\\d+)`, "g"))].map(
        ([, version]) => Number(version),
      );
    while (versionsOf("short").length === 0) text += await read();
    expect(versionsOf("long").length).toBeLessThan(20);
    while (versionsOf("long").at(-1) !== 41) text += await read();
    expect(versionsOf("long")).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
  });
});
