// Who is on a thread, as its readers see it.

import { memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Agent } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { follow, type JointReader, type Message, openJoint } from "../support/joint.ts";
import { runInput } from "../support/rights/routes.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const bob = asUser("bob", "read", "write");
const eve = asUser("eve", "read");

async function withReaders(options: Parameters<typeof start>[0] = {}) {
  const running = await start(options);
  for (const id of ["a", "b"]) await createBoard(running.url, id);
  const [mine, theirs] = [
    await openJoint(running.url, follow(["a", "b"])),
    await openJoint(running.url, follow(["a"]), bob),
  ];
  for (const id of ["a", "b"]) await mine.of("snapshot", id);
  await theirs.of("snapshot", "a");
  const show = ({ stream }: JointReader, threads: object, headers = ada, more: object = {}) =>
    send(`${running.url}/presence`, "POST", { stream, threads, ...more }, headers);
  return { ...running, mine, theirs, show };
}

/** The next word on who is here that fits. */
const told = (reader: JointReader, fits: (participants: Message[]) => boolean) =>
  reader
    .find(({ type, participants }) => type === "presence" && fits(participants))
    .then(({ participants }) => participants);

const some = (count: number) => (participants: Message[]) => participants.length === count;

describe("what a reader shows", () => {
  it("is seen by all readers of the thread, with the actor and session of its stream", async () => {
    const { mine, theirs, show, url } = await withReaders();
    const value = { focus: "/columns/0/cards/2", typing: true, data: { color: "red" } };
    expect((await show(mine, { a: value })).status).toBe(204);
    const participant = { session: mine.session, actor: { kind: "user", id: "ada" }, ...value };
    expect(await theirs.of("presence")).toEqual({ thread: "a", type: "presence", participants: [participant] });
    expect(await told(mine, some(1))).toEqual([participant]);
    const single = await readEvents(`${url}/threads/a/events`, eve);
    expect(await single.until(0)).toHaveLength(2);
    expect(JSON.parse((await single.next()).data)).toMatchObject({ type: "presence", participants: [participant] });
    expect(mine.session).not.toContain(mine.stream.slice(2));
  });

  it("is sent to one that comes later, and is on its own thread only", async () => {
    const { url, mine, show } = await withReaders();
    await show(mine, { a: { focus: "/columns/0" }, b: { focus: "/columns/1" } });
    const later = await openJoint(url, follow(["b"]));
    expect(await told(later, some(1))).toMatchObject([{ focus: "/columns/1" }]);
  });

  it("is replaced, and removed by null, by leaving the thread, and by the end of the stream", async () => {
    const { mine, theirs, show } = await withReaders();
    await show(mine, { a: { focus: "/columns/0", typing: true } });
    await told(theirs, some(1));
    await show(mine, { a: { focus: "" } });
    const [changed] = await told(theirs, ([first]) => first.focus === "");
    expect(changed).not.toHaveProperty("typing");
    for (const leave of [
      () => show(mine, { a: null }),
      () => mine.change({ unfollow: ["a"] }),
      async () => mine.close(),
    ]) {
      await mine.change({ follow: { a: {} } });
      await show(mine, { a: { typing: true } });
      await told(theirs, some(1));
      await leave();
      await told(theirs, some(0));
    }
  });

  it("stays when the thread is followed again", async () => {
    const { url, mine, show } = await withReaders();
    await show(mine, { a: { focus: "/columns/0" } });
    await mine.change({ follow: { a: {} } });
    await mine.of("snapshot", "a");
    const later = await openJoint(url, follow(["a"]));
    expect(await told(later, some(1))).toMatchObject([{ focus: "/columns/0" }]);
  });

  it("is apart for each tab", async () => {
    const { mine, theirs, show } = await withReaders();
    await show(mine, { a: { focus: "/columns/0" } }, ada, { tab: "one" });
    await show(mine, { a: { focus: "/columns/1" } }, ada, { tab: "two" });
    expect(await told(theirs, some(2))).toMatchObject([
      { session: `${mine.session}.one`, focus: "/columns/0" },
      { session: `${mine.session}.two`, focus: "/columns/1" },
    ]);
    await show(mine, { a: null }, ada, { tab: "one" });
    expect(await told(theirs, some(1))).toMatchObject([{ session: `${mine.session}.two` }]);
  });

  it("needs the right to write, and to follow the thread: else a problem of that thread", async () => {
    const { url, theirs, mine, show } = await withReaders();
    const reader = await openJoint(url, follow(["a"]), eve);
    await reader.of("snapshot");
    const problem = (status: number, code: string) => ({
      status,
      code,
      title: expect.any(String),
      detail: expect.any(String),
    });
    expect(await show(reader, { a: { typing: true } }, eve)).toMatchObject({
      status: 200,
      body: { problems: { a: problem(403, "not_allowed") } },
    });
    expect(await show(reader, { a: null }, eve)).toMatchObject({ status: 204 });
    const answer = await show(theirs, { a: { typing: true }, b: { typing: true } }, bob);
    expect([answer.status, answer.body]).toEqual([200, { problems: { b: problem(409, "not_followed") } }]);
    expect(await told(mine, some(1))).toMatchObject([{ actor: { id: "bob" } }]);
    expect(await told(reader, some(1))).toMatchObject([{ actor: { id: "bob" } }]);
  });

  it("must be a small value of known members, with a JSON Pointer", async () => {
    const { mine, theirs, show } = await withReaders();
    const wrong: [value: unknown, code: string][] = [
      [{ focus: "columns" }, "invalid_body"],
      [{ focus: "/a~2" }, "invalid_body"],
      [{ focus: 3 }, "invalid_body"],
      [{ typing: "yes" }, "invalid_body"],
      [{ cursor: 1 }, "invalid_body"],
      [{ actor: { kind: "user", id: "bob" } }, "actor_in_body"],
      [[], "invalid_body"],
      [{ data: "x".repeat(2_048) }, "body_too_large"],
    ];
    for (const [value, code] of wrong)
      expect(await show(mine, { a: value }), JSON.stringify(value).slice(0, 60)).toMatchObject({
        status: 200,
        body: { problems: { a: { code } } },
      });
    await show(mine, { a: wrong[0]?.[0], b: { typing: true } });
    expect(await mine.of("presence")).toMatchObject({ thread: "b" });
    await show(mine, { a: { data: "x".repeat(2_000) } });
    await told(theirs, some(1));
  });

  it("belongs to the stream's actor, on the stream's process", async () => {
    const log = memoryLog();
    const { mine, show } = await withReaders({ log });
    const other = await start({ log });
    const body = { stream: mine.stream, threads: { a: {} } };
    expect(await show(mine, { a: {} }, bob)).toMatchObject({ status: 404, body: { code: "unknown_stream" } });
    expect(await send(`${other.url}/presence`, "POST", body)).toMatchObject({ status: 404 });
    for (const wrong of [{ threads: {} }, { stream: mine.stream }, { ...body, tab: "a b" }, { ...body, more: 1 }])
      expect(await send(`${other.url}/presence`, "POST", wrong)).toMatchObject({ status: 400 });
  });

  it("is never in the log", async () => {
    const { url, mine, theirs, show } = await withReaders();
    await show(mine, { a: { focus: "/columns/0" } });
    await told(theirs, some(1));
    expect((await send(`${url}/threads/a/history?rejections=true`, "GET")).body).toEqual([]);
  });

  it("is gone when the thread is deleted, and not on the next thread of the name", async () => {
    const { url, mine, theirs, show } = await withReaders();
    await show(mine, { a: { focus: "/columns/0" } });
    await told(theirs, some(1));
    await send(`${url}/threads/a`, "DELETE");
    await theirs.of("problem");
    await createBoard(url, "a");
    await theirs.change({ follow: { a: {} } });
    await theirs.of("snapshot");
    await show(theirs, { a: { typing: true } }, bob);
    expect(await told(theirs, () => true)).toMatchObject([{ actor: { id: "bob" } }]);
  });
});

describe("when it is checked again", () => {
  it("one that lost the right to write is hidden, and reads on", async () => {
    const denied = new Set<string>();
    const { url, server, mine, theirs, show } = await withReaders({
      authorize(request) {
        const id = request.headers.get("authorization")?.split(" ")[1] ?? "";
        return { actor: { kind: "user", id }, allows: (_, right) => !denied.has(`${id} ${right}`) };
      },
    });
    await show(mine, { a: { typing: true } });
    await told(theirs, some(1));
    denied.add("ada write");
    await server.revoke();
    await told(theirs, some(0));
    await send(`${url}/threads/a/operations`, "POST", addCard("c1"), bob);
    expect(await mine.of("commits")).toMatchObject({ thread: "a" });
  });
});

describe("at a heartbeat", () => {
  const heartbeat = () => vi.advanceTimersByTime(15_000);

  function withFakeHeartbeats() {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
  }

  it("a reader that does not answer is hidden after the second, and seen when it answers again", async () => {
    withFakeHeartbeats();
    const { url, mine, theirs, show } = await withReaders();
    await show(mine, { a: { typing: true } });
    await told(theirs, some(1));
    for (let beat = 0; beat < 5; beat += 1) {
      heartbeat();
      await show(mine, {});
    }
    await send(`${url}/threads/a/operations`, "POST", addCard("c1"));
    await theirs.of("commits");
    expect(theirs.text()).not.toContain('"participants":[]');
    for (let beat = 0; beat < 3; beat += 1) {
      heartbeat();
      await show(theirs, {}, bob);
    }
    await told(theirs, some(0));
    await show(mine, {});
    expect(await told(theirs, some(1))).toMatchObject([{ session: mine.session, typing: true }]);
  });
});

describe("a run", () => {
  const robot = { kind: "agent", id: "robot-7" };

  it("is seen as its agent, at the thing that it touched last, until it ends", async () => {
    const steps: (() => void)[] = [];
    const step = () => new Promise<void>((resolve) => steps.push(resolve));
    const agent: Agent = async function* ({ thread, input: { runId } }) {
      yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", role: "assistant", delta: "Working." };
      await step();
      await thread.submit(addCard("c1"), { actor: robot, runId });
      await step();
      await thread.submit(addCard("c2", "Two", "done"), { actor: robot, runId });
      await thread.submit(board.op.rename({ cardId: "c1", title: "One" }), { actor: robot, runId });
      // What others do meanwhile says nothing of the agent.
      await thread.submit(addCard("c3"), { actor: robot, runId: "another" });
      await thread.submit(addCard("c4"), { actor: { kind: "user", id: "ada" }, runId });
      await step();
      await thread.submit({ type: "clear", columnId: "done" }, { actor: robot, runId });
      await step();
    };
    const { url, theirs } = await withReaders({ agents: { echo: { definition: "board", run: agent } } });
    const run = send(`${url}/ag-ui/echo`, "POST", runInput("a")).catch(() => {});
    const next = async () => {
      await vi.waitUntil(() => steps.length > 0, { interval: 5 });
      steps.shift()?.();
    };
    const [first] = await told(theirs, some(1));
    expect(first).toEqual({ session: expect.stringMatching(/^r-/), actor: { kind: "agent", id: "echo" } });
    const foci: string[] = [];
    for (const focus of ["/columns/0/cards/0", "/columns/0/cards/0", "/columns/1/cards"]) {
      await next();
      const [shown] = await told(theirs, ([participant]) => participant.focus === focus);
      foci.push(shown.focus);
      expect(shown.actor).toEqual(robot);
      expect(shown.session).toBe(first.session);
      if (foci.length === 1) await vi.waitUntil(() => steps.length > 0, { interval: 5 });
    }
    await next();
    await told(theirs, some(0));
    await run;
  });
});
