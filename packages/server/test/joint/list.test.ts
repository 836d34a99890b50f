// POST /events with `wait`: the messages as a list, for hosts that cannot read a stream.

import { describe, expect, it, vi } from "vitest";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { follow, type Message, type Position } from "../support/joint.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const post = (thread: string, body: unknown) => send(`${thread}/operations`, "POST", body);

async function withBoards(...ids: string[]) {
  const running = await start();
  for (const id of ids) await createBoard(running.url, id);
  const at = (id: string) => `${running.url}/threads/${id}`;
  const poll = async (threads: Record<string, Position>, wait: number, headers = ada) => {
    const answer = await send(`${running.url}/events`, "POST", { threads, wait }, headers);
    expect([answer.status, answer.type]).toEqual([200, "application/json"]);
    const messages: Message[] = answer.body;
    return messages;
  };
  return { ...running, at, poll };
}

/** A request that has come in, and waits for news. */
async function withWaiting() {
  const rights = new Set(["read", "write"]);
  let reads = 0;
  const running = await start({
    authorize: () => ({
      actor: { kind: "user", id: "ada" },
      allows(_, right) {
        if (right === "read") reads += 1;
        return rights.has(right);
      },
    }),
  });
  await createBoard(running.url, "a");
  const answer = send(`${running.url}/events`, "POST", { threads: { a: { after: 0 } }, wait: 25 });
  await vi.waitUntil(() => reads > 0, { interval: 5 });
  // One that came later was answered: the first has read its thread, and waits.
  await send(`${running.url}/events`, "POST", { threads: { a: { after: 0 } }, wait: 0 });
  return { ...running, rights, waiting: answer.then(({ body }): Message[] => body) };
}

const typesOf = (messages: Message[]) => messages.map(({ thread, type }) => `${thread ?? "-"} ${type}`);

describe("a list of messages", () => {
  it("has the sender, and of each thread what follows its position, at once", async () => {
    const { at, poll } = await withBoards("a", "b", "secret");
    await post(at("a"), [addCard("c1"), addCard("c2")]);
    const messages = await poll({ a: { after: 1 }, b: {}, secret: {}, nowhere: {} }, 25);
    expect(messages[0]).toEqual({ type: "hello", actor: { kind: "user", id: "ada" } });
    expect(typesOf(messages).toSorted()).toEqual(
      ["- hello", "a welcome", "a commits", "b welcome", "b snapshot", "nowhere problem", "secret problem"].toSorted(),
    );
    expect(messages.find(({ type }) => type === "commits")).toMatchObject({ commits: [{ version: 2 }] });
  });

  it("has the very messages of the stream", async () => {
    const { url, at, poll } = await withBoards("a");
    await post(at("a"), addCard("c1", "é \u2028 👍"));
    const [, welcome, commits] = await poll({ a: { after: 0 } }, 0);
    const events = await readEvents(`${url}/threads/a/events?after=0`);
    expect([welcome, commits]).toEqual((await events.until(1)).map(({ data }) => JSON.parse(data)));
  });

  it("waits for the first news of any thread", async () => {
    const { at, poll } = await withBoards("a", "b");
    const waiting = poll({ a: { after: 0 }, b: { after: 0 } }, 25);
    await post(at("b"), addCard("c1"));
    const messages = await waiting;
    expect(typesOf(messages).filter((type) => !type.endsWith("welcome"))).toEqual(["- hello", "b commits"]);
  });

  it("is answered without news with `wait: 0`, and when the time is over", async () => {
    const { poll } = await withBoards("a");
    // Long enough that a busy machine still reads the thread within it.
    for (const wait of [0, 1]) expect(typesOf(await poll({ a: { after: 0 } }, wait))).toEqual(["- hello", "a welcome"]);
    expect(typesOf(await poll({}, 0))).toEqual(["- hello"]);
  });

  it("ends after 256 KB, and goes on with the next request, for every thread", async () => {
    const { at, poll } = await withBoards("long", "short");
    await post(at("long"), addCard("c1"));
    for (let round = 0; round < 30; round += 1)
      await post(at("long"), board.op.annotate({ cardId: "c1", note: String(round % 10).repeat(20_000) }));
    await post(at("short"), addCard("c1"));
    const got: Record<string, number[]> = { long: [], short: [] };
    for (let round = 0; (got["long"]?.at(-1) ?? 0) < 31; round += 1) {
      const positions = follow(["long", "short"]);
      for (const id of ["long", "short"]) positions[id] = { after: got[id]?.at(-1) ?? 0 };
      const messages = await poll(positions, 25);
      expect(JSON.stringify(messages).length).toBeLessThan(400 * 1024);
      for (const { type, thread, commits } of messages)
        if (type === "commits") for (const { version } of commits) got[thread]?.push(version);
      if (round === 0) expect(got["short"]).toEqual([1]);
    }
    expect(got["long"]).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
  });

  it("is answered when the server closes", async () => {
    const { server, waiting } = await withWaiting();
    await server.close();
    expect(typesOf(await waiting)).toEqual(["- hello", "a welcome"]);
  });

  it("costs nothing any more when its reader has left", async () => {
    const { url, server, poll } = await withBoards("a");
    const aborter = new AbortController();
    const left = fetch(`${url}/events`, {
      method: "POST",
      headers: { ...ada, "content-type": "application/json" },
      body: JSON.stringify({ threads: { a: { after: 0 } }, wait: 25 }),
      signal: aborter.signal,
    });
    await poll({ a: { after: 0 } }, 0);
    aborter.abort();
    await expect(left).rejects.toThrow();
    await server.close();
  });
});

describe("a list that waits", () => {
  it("is answered when a check finds that a right was withdrawn", async () => {
    const { rights, waiting, server } = await withWaiting();
    rights.delete("read");
    await server.revoke({ threadId: "a" });
    const messages = await waiting;
    expect(messages.at(-1)).toMatchObject({ thread: "a", type: "problem", code: "not_allowed" });
  });

  it("needs credentials", async () => {
    const { url } = await start();
    expect(await send(`${url}/events`, "POST", { threads: {}, wait: 1 }, {})).toMatchObject({ status: 401 });
    expect((await send(`${url}/events`, "POST", { threads: {}, wait: 0 }, asUser("eve"))).status).toBe(200);
  });
});
