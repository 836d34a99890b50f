// The event stream of a thread: missed commits, then live ones, with the same bytes for every
// reader.

import { defineState, memoryLog } from "@opstate/core";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const post = (thread: string, body: unknown) => send(`${thread}/operations`, "POST", body);

/** Without what differs from stream to stream: when its reader comes back, and its heartbeats. */
const eventsOf = (text: string) => text.replace(/^retry: \d+\n\n/, "").replaceAll(/(?<=^|\n\n):\n\n/g, "");

async function withCommits(count: number) {
  const running = await start();
  const thread = await createBoard(running.url);
  if (count > 0)
    await post(
      thread,
      Array.from({ length: count }, (_, index) => addCard(`c${index + 1}`)),
    );
  return { ...running, thread };
}

describe("a stream", () => {
  it("names its reader's actor, and begins with a snapshot", async () => {
    const { thread } = await withCommits(2);
    const events = await readEvents(`${thread}/events`);
    expect(Object.fromEntries(events.response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    const welcome = await events.next();
    expect([welcome.event, welcome.id, JSON.parse(welcome.data)]).toEqual([
      "welcome",
      undefined,
      {
        thread: "launch",
        type: "welcome",
        actor: { kind: "user", id: "ada" },
        incarnation: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
    const snapshot = await events.next();
    const { body } = await send(thread, "GET");
    expect([snapshot.event, snapshot.id, JSON.parse(snapshot.data)]).toEqual([
      "snapshot",
      "2",
      { thread: "launch", type: "snapshot", snapshot: { version: 2, state: body.state } },
    ]);
  });

  it("goes on with each commit, and with refusals", async () => {
    const { thread } = await withCommits(0);
    const events = await readEvents(`${thread}/events`);
    await events.until(0);
    const verdict = await post(thread, { id: "s1", operation: addCard("c1") });
    await send(`${thread}/operations`, "POST", { id: "bad", operation: { type: "fly" } }, asUser("bob", "write"));
    await post(thread, addCard("c2"));
    const [first, refusal, second] = [await events.next(), await events.next(), await events.next()];
    expect([first.event, first.id, JSON.parse(first.data)]).toEqual([
      "commits",
      "1",
      { thread: "launch", type: "commits", commits: [verdict.body.commit] },
    ]);
    expect([refusal.event, refusal.id, JSON.parse(refusal.data)]).toEqual([
      "refusal",
      undefined,
      {
        thread: "launch",
        type: "refusal",
        refusal: expect.objectContaining({ id: "bad", actor: { kind: "user", id: "bob" } }),
      },
    ]);
    expect(second.id).toBe("2");
  });

  it("has only \\n as line end, and one line of data for each event, whatever the text", async () => {
    const { thread } = await withCommits(0);
    const events = await readEvents(`${thread}/events`);
    await post(thread, addCard("c1", 'a\nb\r\nid: 99\n\nevent: snapshot\u2028\u2029\u0000"'));
    await events.until(1);
    expect(events.text()).not.toContain("\r");
    expect(
      events
        .text()
        .split("\n")
        .filter((line) => line !== "" && !/^(retry: \d+$|id: \d+$|event: \w+$|data: \{)/.test(line)),
    ).toEqual([]);
  });

  it("resumes from every version with the same bytes, live or from the log", async () => {
    const count = 25;
    const file = sqliteLog({ path: ":memory:" });
    for (const log of [memoryLog(), file]) {
      const first = await start({ log });
      const thread = await createBoard(first.url);
      const live = await readEvents(`${thread}/events?after=0`);
      for (let index = 1; index <= count; index += 1)
        await post(thread, addCard(`c${index}`, `Card ${index} é \u0000 👍`));
      await live.until(count);
      const whole = eventsOf(live.text());
      const frames = whole.split(/(?<=\n\n)/);
      expect(frames).toHaveLength(count + 1);
      await first.server.close();
      const second = await start({ log });
      for (let after = 0; after < count; after += 1) {
        const expected = frames[0] + frames.slice(after + 1).join("");
        const again = `${second.url}/threads/launch/events`;
        const byQuery = await readEvents(`${again}?after=${after}`);
        await byQuery.until(count);
        expect(eventsOf(byQuery.text())).toBe(expected);
        const byHeader = await readEvents(`${again}?after=3`, { ...ada, "last-event-id": String(after) });
        await byHeader.until(count);
        expect(eventsOf(byHeader.text())).toBe(expected);
        byQuery.close();
        byHeader.close();
      }
    }
  });

  it("continues without a gap when it catches up while commits arrive", async () => {
    const { thread } = await withCommits(250);
    const readers = Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const events = await readEvents(`${thread}/events?after=${index * 30}`);
        return {
          after: index * 30,
          ids: (await events.until(400)).flatMap(({ id }) => (id === undefined ? [] : [Number(id)])),
        };
      }),
    );
    for (let index = 251; index <= 400; index += 1) await post(thread, addCard(`c${index}`));
    for (const { after, ids } of await readers)
      expect(ids).toEqual(Array.from({ length: 400 - after }, (_, index) => after + 1 + index));
  });

  it("begins with a snapshot when the version is above the head, or is not a version", async () => {
    const { thread } = await withCommits(2);
    for (const from of ["3", "999999999999999", "-1", "1e1", "0x1", "1.5", "abc", "9".repeat(16), "1, 2"]) {
      for (const events of [
        await readEvents(`${thread}/events?after=${encodeURIComponent(from)}`),
        await readEvents(`${thread}/events`, { ...ada, "last-event-id": from }),
      ]) {
        await events.next();
        expect((await events.next()).event, from).toBe("snapshot");
        events.close();
      }
    }
  });

  it("begins with a snapshot when the version is of a deleted thread", async () => {
    const { url, thread } = await withCommits(3);
    const incarnationOf = async () =>
      JSON.parse((await (await readEvents(`${thread}/events`)).next()).data).incarnation;
    const first = await incarnationOf();
    await send(thread, "DELETE");
    await createBoard(url);
    await post(thread, [addCard("a"), addCard("b"), addCard("c"), addCard("d")]);
    const second = await incarnationOf();
    expect(second).not.toBe(first);
    for (const [known, event] of [
      [first, "snapshot"],
      [second, "commits"],
    ])
      for (const headers of [ada, { ...ada, "last-event-id": "2" }]) {
        const events = await readEvents(`${thread}/events?after=2&incarnation=${known}`, headers);
        expect(JSON.parse((await events.next()).data).incarnation).toBe(second);
        expect((await events.next()).event).toBe(event);
        events.close();
      }
  });

  it("sends nothing to HEAD, and keeps nothing open for it", async () => {
    const { thread, server } = await withCommits(1);
    const response = await fetch(`${thread}/events`, { method: "HEAD", headers: ada });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    await server.close();
  });

  it("ends when the thread is deleted, and when the server closes", async () => {
    const { thread, server, url } = await withCommits(1);
    const deleted = await readEvents(`${thread}/events`);
    const other = await readEvents(`${await createBoard(url, "other")}/events`);
    await deleted.until(1);
    await other.until(0);
    await send(thread, "DELETE");
    await deleted.ended();
    await server.close();
    await other.ended();
  });

  it("is kept alive by comments", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { thread } = await withCommits(0);
    const events = await readEvents(`${thread}/events`);
    await events.until(0);
    vi.advanceTimersByTime(15_000);
    await post(thread, addCard("c1"));
    await events.until(1);
    expect(events.text()).toContain("\n\n:\n\nid: 1\nevent: commits");
  });
});

describe("a reader on a bare socket", () => {
  /** Opens a stream, makes two commits, and gives the body as it came. */
  async function bodyBy(version: "1.0" | "1.1"): Promise<string> {
    const { url } = await start();
    const thread = await createBoard(url);
    const { hostname, port, pathname } = new URL(thread);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET ${pathname}/events HTTP/${version}\r\nhost: ${hostname}\r\nauthorization: ${ada.authorization}\r\n\r\n`,
    );
    let text = "";
    socket.on("data", (bytes) => (text += bytes.toString("latin1")));
    await expect.poll(() => text).toContain("event: snapshot");
    for (const cardId of ["a", "b"]) await send(`${thread}/operations`, "POST", addCard(cardId));
    await expect.poll(() => text).toMatch(/^id: 2$/m);
    await expect.poll(() => text).toMatch(/\n\n(\r\n)?$/);
    return text.slice(text.indexOf("\r\n\r\n") + 4);
  }

  it("gets chunks of HTTP that are whole", async () => {
    let rest = await bodyBy("1.1");
    let events = "";
    while (rest !== "") {
      const [head = ""] = rest.split("\r\n", 1);
      const from = head.length + 2;
      const to = from + Number.parseInt(head, 16);
      expect(rest.slice(to, to + 2)).toBe("\r\n");
      events += rest.slice(from, to);
      rest = rest.slice(to + 2);
    }
    expect(events.match(/^id: \d+$/gm)).toEqual(["id: 0", "id: 1", "id: 2"]);
  });

  it("gets events without chunks when it knows of none", async () => {
    const body = await bodyBy("1.0");
    expect(body.match(/^id: \d+$/gm)).toEqual(["id: 0", "id: 1", "id: 2"]);
    expect(body).not.toContain("\r\n");
  });
});

describe("a reader that never reads", () => {
  /** A subscriber on a raw socket that never reads. */
  async function stuckReader(thread: string) {
    const { hostname, port, pathname } = new URL(thread);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${pathname}/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${ada.authorization}\r\n\r\n`);
    let dropped = false;
    socket.on("error", () => {});
    socket.on("close", () => (dropped = true));
    // Without a call of read(), Node buffers a little and then stops.
    await new Promise<void>((resolve) => socket.once("readable", resolve));
    return {
      /** A socket that does not read does not notice the end. A write to it fails. */
      isDropped() {
        socket.write("\r\n");
        return dropped;
      },
    };
  }

  it("is disconnected, and the others get everything", async () => {
    const { thread } = await withCommits(1);
    const stuck = await stuckReader(thread);
    const events = await readEvents(`${thread}/events`);
    await events.until(1);
    // Until the kernel's buffers and the backlog are full.
    for (let version = 2; !stuck.isDropped(); version += 1) {
      await post(thread, board.op.annotate({ cardId: "c1", note: String(version % 10).repeat(60_000) }));
      expect((await events.next()).id).toBe(String(version));
    }
  });

  it("is disconnected also when another host serves `fetch`", async () => {
    const { thread, server } = await withCommits(1);
    const response = await server.fetch(new Request(`${thread}/events`, { headers: ada }));
    const reader = response.body?.getReader();
    await reader?.read();
    for (let round = 0; round < 5; round += 1)
      await post(thread, board.op.annotate({ cardId: "c1", note: String(round).repeat(60_000) }));
    await expect(reader?.read()).rejects.toThrow("too slow");
  });

  it("does not keep the server from closing", async () => {
    const { thread, server } = await withCommits(1);
    const stuck = await stuckReader(thread);
    for (let round = 0; round < 20; round += 1)
      await post(thread, board.op.annotate({ cardId: "c1", note: String(round % 10).repeat(60_000) }));
    await server.close();
    await vi.waitUntil(stuck.isDropped);
  });
});

describe("a reader of a snapshot that is larger than any buffer", () => {
  const megabyte = 1_000_000;
  const size = 30 * megabyte;
  const large = defineState({
    name: "large",
    schema: z.object({ texts: z.array(z.string()) }),
    initial: { texts: Array.from({ length: 30 }, (_, index) => String(index % 10).repeat(megabyte)) },
    operations: {},
  });

  async function reader() {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { url } = await start({ definitions: [large] });
    onTestFinished(() => void vi.useRealTimers());
    await send(`${url}/threads/launch`, "PUT", { definition: "large" });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET /threads/launch/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${ada.authorization}\r\n\r\n`,
    );
    const state = { got: 0, dropped: false, tail: "" };
    socket.on("error", () => {});
    socket.on("close", () => (state.dropped = true));
    await new Promise<void>((resolve) => socket.once("readable", resolve));
    /** Reads at least so many bytes. */
    async function take(bytes: number): Promise<void> {
      const enough = state.got + bytes;
      while (state.got < enough && !state.dropped) {
        const chunk: Buffer | null = socket.read();
        if (chunk) {
          state.got += chunk.length;
          state.tail = (state.tail + chunk.toString("latin1")).slice(-100);
        } else await new Promise(setImmediate);
      }
    }
    return { socket, state, take };
  }

  it("gets all of it when it is slow but steady", async () => {
    const { state, take } = await reader();
    // Three minutes: longer than a reader may pause, and much longer than the sending takes.
    for (let beat = 0; beat < 12; beat += 1) {
      await take(2 * megabyte);
      vi.advanceTimersByTime(15_000);
    }
    while (!state.tail.includes('"]}}}\n\n') && !state.dropped) await take(1);
    expect([state.dropped, state.got > size]).toEqual([false, true]);
  });

  it("is disconnected when it reads nothing for a minute, and not before", async () => {
    const { socket, state } = await reader();
    vi.advanceTimersByTime(60_000);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(state.dropped).toBe(false);
    await vi.waitUntil(() => {
      vi.advanceTimersByTime(75_000);
      socket.write("\r\n");
      return state.dropped;
    });
    expect(state.got).toBeLessThan(size);
  });
});
