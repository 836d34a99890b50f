// A run belongs to its thread: it goes on without its reader, is read from any point, and stopped
// from anywhere.

import { type AGUIEvent, type BaseEvent, EventType, HttpAgent } from "@ag-ui/client";
import { chatReducer, type ChatState, initialChatState, verifyEvents } from "@opstate/ag-ui";
import { memoryLog } from "@opstate/core";
import { describe, expect, it, vi } from "vitest";
import { memoryRuns, type RunHead, type ServedAgent, type ServerOptions } from "../../src/index.ts";
import { addCard } from "../support/board.ts";
import { type EventReader, readEvents, readStream } from "../support/events.ts";
import { longRun, STEPS, Steps } from "../support/long-run.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const bob = asUser("bob", "read", "write");
const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 60_000 });

async function serve({ agent = {}, ...options }: Partial<ServerOptions> & { agent?: Partial<ServedAgent> } = {}) {
  const steps = new Steps();
  const running = await start({
    agents: { robot: { run: longRun(steps), definition: "board", ...agent } },
    ...options,
  });
  const runs = `${running.url}/threads/launch/runs`;
  const list = async (headers = ada) => (await send(runs, "GET", undefined, headers)).body;
  /** What the list says of the run. */
  const info = async (runId = "r1") => (await list()).find((run: { runId: string }) => run.runId === runId);
  const stop = (headers = ada, runId = "r1") => send(`${runs}/${runId}/stop`, "POST", undefined, headers);
  return { ...running, steps, runs, list, info, stop };
}

const begin = (url: string, { query = "?detached=true", runId = "r1", headers = ada } = {}) =>
  readStream(`${url}/ag-ui/robot${query}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ threadId: "launch", runId, messages: [{ id: "u1", role: "user", content: "Plan it" }] }),
  });

interface Numbered {
  readonly id: string | undefined;
  readonly event: AGUIEvent;
}

/** All events of a stream up to its end. */
async function all(reader: EventReader): Promise<Numbered[]> {
  const found: Numbered[] = [];
  for (;;) {
    const message = await reader.next().catch(() => undefined);
    if (message === undefined) return found;
    found.push({ id: message.id, event: JSON.parse(message.data) });
  }
}

const readRun = async (url: string, headers = ada) => all(await readEvents(url, headers));
const typesOf = (events: readonly Numbered[]) => events.map(({ event }) => event.type);

describe("a detached run", () => {
  it("goes on when its reader leaves, and is read from its first event to its last", async () => {
    const { url, steps, runs, info } = await serve();
    const reader = await begin(url);
    steps.allow(3);
    await reader.until(20);
    reader.close();
    steps.allow(STEPS);
    await until(async () => (await info()).status === "finished");
    expect(await info()).toMatchObject({
      agent: "robot",
      actor: { kind: "user", id: "ada" },
      steps: STEPS,
      detached: true,
      messages: [{ content: "Plan it" }],
    });
    const whole = await readRun(`${runs}/r1`);
    expect(whole.map(({ id }) => id)).toEqual(whole.map((_, index) => String(index + 1)));
    expect(typesOf(whole).slice(0, 2)).toEqual(["RUN_STARTED", "STATE_SNAPSHOT"]);
    expect(typesOf(whole).at(-1)).toBe("RUN_FINISHED");
    expect(typesOf(whole).filter((type) => type === "TOOL_CALL_RESULT")).toHaveLength(STEPS);
    expect((await info()).events).toBe(whole.length);
    expect(steps).toMatchObject({ started: 1, aborted: 0 });
  });

  it("is read after any event, also while it runs, also by the header of a browser", async () => {
    const { url, steps, runs } = await serve();
    const first = all(await begin(url));
    steps.allow(5);
    const early = await readEvents(`${runs}/r1?after=10`);
    expect((await early.next()).id).toBe("11");
    const rest = all(early);
    steps.allow(STEPS);
    const whole = await first;
    expect(await rest).toEqual(whole.slice(11));
    for (let after = 0; after < whole.length; after += 1)
      expect(await readRun(`${runs}/r1?after=${after}`)).toEqual(whole.slice(after));
    expect(await all(await readEvents(`${runs}/r1`, { ...ada, "last-event-id": "30" }))).toEqual(whole.slice(30));
    expect((await send(`${runs}/r1?after=x`, "GET")).body.code).toBe("invalid_query");
  });

  it("sends what is open to a reader that has the conversation up to any event, and ends in the same one", async () => {
    const { url, steps, runs } = await serve();
    steps.allow(STEPS);
    const whole = await all(await begin(url));
    const events = whole.map(({ event }) => event);
    const fold = (state: ChatState, some: readonly unknown[]) => some.reduce<ChatState>(chatReducer, state);
    const undisturbed = fold(initialChatState(), events);
    expect(undisturbed).toMatchObject({ phase: "idle", warnings: [], pendingToolCallIds: ["r1-page"] });
    for (let from = 0; from <= events.length; from += 1) {
      const known = fold(initialChatState(), events.slice(0, from));
      const told = (await readRun(`${runs}/r1?from=${from}`)).map(({ event }) => event);
      const verified: readonly unknown[] = [...verifyEvents(told)];
      expect(verified, `from ${from}`).toEqual(told);
      expect(fold(known, verified), `from ${from}`).toEqual(undisturbed);
    }
  });

  it("is one run for a request that is sent again", async () => {
    const { url, steps, list } = await serve();
    const [first, again] = [await begin(url), await begin(url)];
    steps.allow(STEPS);
    const [one, other] = await Promise.all([all(first), all(again)]);
    expect(other).toEqual(one);
    expect(await all(await begin(url))).toEqual(one);
    expect(steps.started).toBe(1);
    expect(await list()).toHaveLength(1);
    // Another person's run has its own id.
    steps.allow(STEPS);
    await all(await begin(url, { headers: bob }));
    expect(steps.started).toBe(2);
  });

  it("is stopped from anywhere, and says how far it came", async () => {
    const { url, steps, runs, stop, info } = await serve();
    const reader = await begin(url);
    steps.allow(3);
    await until(async () => (await info()).steps === 3);
    expect((await stop()).body).toMatchObject({ runId: "r1", status: "stopped" });
    await until(() => steps.aborted === 1);
    const events = await all(reader);
    const last = { type: "RUN_ERROR", code: "stopped", message: 'The run was stopped after 3 steps, by user "ada".' };
    expect(events.at(-1)?.event).toEqual(last);
    expect((await readRun(`${runs}/r1`)).at(-1)?.event).toEqual(last);
    // It has one effect.
    expect((await stop()).body.events).toBe(events.length);
    // The thread is free for the next run. The agent that was stopped takes a step too.
    steps.allow(STEPS + 1);
    expect(typesOf(await all(await begin(url, { runId: "r2" }))).at(-1)).toBe("RUN_FINISHED");
  });

  it("is what the agent says, whatever the client requests", async () => {
    const never = await serve({ agent: { detached: "never" } });
    const stopped = await begin(never.url);
    await stopped.next();
    stopped.close();
    await until(async () => (await never.info()).status === "stopped");
    const always = await serve({ agent: { detached: "always" } });
    const left = await begin(always.url, { query: "" });
    await left.next();
    left.close();
    always.steps.allow(STEPS);
    await until(async () => (await always.info()).status === "finished");
  });
});

describe("an attached run", () => {
  it("stops when an unmodified client leaves: that is its stop button", async () => {
    const { url, steps, info } = await serve();
    const agent = new HttpAgent({ url: `${url}/ag-ui/robot`, threadId: "launch", headers: ada });
    const events: BaseEvent[] = [];
    agent.subscribe({ onEvent: ({ event }) => void events.push(event) });
    const running = agent.runAgent({ runId: "r1" });
    steps.allow(2);
    await until(() => events.filter(({ type }) => type === EventType.TOOL_CALL_RESULT).length === 2);
    agent.abortRun();
    await running.catch(() => undefined);
    await until(() => steps.aborted === 1);
    expect(await info()).toMatchObject({ status: "stopped", detached: false, steps: 2 });
  });

  it("can be followed and stopped by its person meanwhile, and forgets what there is no room for", async () => {
    const { url, steps, runs, stop } = await serve({ runs: { keep: { events: 40 } } });
    const own = await begin(url, { query: "" });
    const other = await readEvents(`${runs}/r1`);
    expect(JSON.parse((await other.next()).data).type).toBe("RUN_STARTED");
    steps.allow(6);
    await until(async () => (await send(`${runs}/r1`, "HEAD")).status === 410);
    expect((await send(`${runs}/r1`, "GET")).body.code).toBe("compacted");
    await stop();
    expect((await all(own)).at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
  });
});

describe("the rights on a run", () => {
  it("are those of who started it: for others there is none", async () => {
    const { url, steps, runs, list, stop } = await serve();
    await begin(url);
    steps.allow(1);
    expect(await list(bob)).toEqual([]);
    const unknown = { status: 404, body: { code: "unknown_run" } };
    expect(await send(`${runs}/r1`, "GET", undefined, bob)).toMatchObject(unknown);
    expect(await stop(bob)).toMatchObject(unknown);
    expect(await send(`${runs}/nothing`, "GET")).toMatchObject(unknown);
    expect((await send(runs, "GET", undefined, asUser("eve", "write"))).status).toBe(403);
    expect((await send(`${runs}/r1/stop`, "POST", undefined, asUser("ada"))).status).toBe(403);
    expect(await stop(asUser("carl", "read", "undo"))).toMatchObject({ status: 200, body: { status: "stopped" } });
  });

  it("are for every reader of the thread, when the agent says so", async () => {
    const { url, steps, runs, list, stop } = await serve({ agent: { runs: "thread" } });
    const own = all(await begin(url));
    const others = all(await readEvents(`${runs}/r1`, bob));
    expect(await list(bob)).toMatchObject([{ runId: "r1", status: "running" }]);
    expect(await stop(bob)).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    steps.allow(STEPS);
    expect(await others).toEqual(await own);
  });

  it("are checked again: it stops when they are lost, and goes on by a newer request of its person", async () => {
    let denied: string | undefined;
    const { url, steps, server, info, runs } = await serve({
      recheckSeconds: 86_400,
      authorize: (request) => {
        const token = request.headers.get("authorization") ?? "";
        if (token === denied) return null;
        return { actor: { kind: "user", id: "ada" }, allows: () => true };
      },
    });
    const reader = await begin(url, { headers: { authorization: "old" } });
    steps.allow(1);
    await reader.next();
    reader.close();
    const newer = await readEvents(`${runs}/r1`, { authorization: "new" });
    denied = "old";
    await server.revoke();
    steps.allow(1);
    await until(async () => (await info()).steps === 2);
    denied = "new";
    await server.revoke();
    expect((await all(newer)).at(-1)?.event).not.toMatchObject({ type: "RUN_FINISHED" });
    await until(() => steps.aborted === 1);
    expect(await info()).toMatchObject({ status: "stopped", steps: 2 });
    expect((await readRun(`${runs}/r1`)).at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "unauthenticated" });
  });

  it("end a reader's stream when the reader loses theirs, and not the run", async () => {
    let mayRead = true;
    const { url, steps, server, runs, info } = await serve({
      agent: { runs: "thread" },
      recheckSeconds: 86_400,
      authorize: (request) => {
        const id = request.headers.get("authorization")?.split(" ")[1] ?? "";
        return { actor: { kind: "user", id }, allows: () => id === "ada" || mayRead };
      },
    });
    await begin(url);
    const reader = await readEvents(`${runs}/r1`, bob);
    await reader.next();
    mayRead = false;
    await server.revoke();
    await reader.ended();
    steps.allow(STEPS);
    await until(async () => (await info()).status === "finished");
    expect(reader.text()).not.toContain("RUN_ERROR");
  });
});

describe("the limits of runs", () => {
  it("stop one that writes more than is kept", async () => {
    for (const keep of [{ events: 30 }, { bytes: 4_000 }]) {
      const { url, steps } = await serve({ runs: { keep } });
      steps.allow(STEPS);
      const events = await all(await begin(url));
      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "run_too_large" });
      expect(steps.aborted).toBe(1);
    }
  });

  it("are so many of one actor that go on without a reader", async () => {
    const { url, stop } = await serve({ runs: { detached: 1 } });
    await begin(url);
    const second = await begin(url, { runId: "r2" });
    expect(second.response.status).toBe(429);
    expect((await begin(url, { runId: "r3", headers: bob })).response.status).toBe(200);
    await stop();
    expect((await begin(url, { runId: "r4" })).response.status).toBe(200);
  });

  it.each([
    ["of a thread", { perThread: 2 }],
    ["of an actor", { perActor: 2 }],
  ])("are so many %s that have ended: the oldest go", async (_, keep) => {
    const { url, steps, list, runs } = await serve({ runs: { keep } });
    for (const runId of ["r1", "r2", "r3"]) {
      steps.allow(STEPS);
      await all(await begin(url, { runId }));
      await until(async () => (await list()).every(({ status }: { status: string }) => status === "finished"));
    }
    await until(async () => (await list()).length === 2);
    expect((await list()).map(({ runId }: { runId: string }) => runId)).toEqual(["r2", "r3"]);
    expect((await send(`${runs}/r1`, "GET")).status).toBe(404);
  });
});

describe("what is erased", () => {
  it("removes the runs of a deleted thread, and they stop", async () => {
    const { url, steps, runs } = await serve();
    const reader = await begin(url);
    await reader.next();
    expect((await send(`${url}/threads/launch`, "DELETE")).status).toBe(204);
    await until(() => steps.aborted === 1);
    expect((await all(reader)).at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
    await createBoard(url);
    expect((await send(runs, "GET")).body).toEqual([]);
  });

  it("is not in any run any more: those of its person stop, the others' events so far go", async () => {
    const store = memoryRuns();
    const { url, steps, server, list, runs, info } = await serve({ runs: { store }, agent: { runs: "thread" } });
    const board = await createBoard(url);
    steps.allow(STEPS);
    await all(await begin(url, { runId: "ended" }));
    await send(`${board}/operations`, "POST", addCard("b1", "Zwetschgenkuchen"), bob);
    const others = await begin(url, { runId: "others" });
    expect((await others.until(2)).at(-1)?.data).toContain("Zwetschgenkuchen");
    const theirs = await begin(url, { runId: "theirs", headers: bob });
    await until(async () => (await list()).length === 3);
    // By whoever erases it: here in the process, not by a route.
    const thread = await server.thread("launch");
    await thread.redact({ actor: { kind: "user", id: "bob" }, by: { kind: "user", id: "ada" } });
    expect((await all(theirs)).at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
    expect((await list()).map(({ runId }: { runId: string }) => runId)).toEqual(["others"]);
    expect((await send(`${runs}/others`, "GET")).body.code).toBe("compacted");
    steps.allow(STEPS);
    await until(async () => (await info("others")).status === "finished");
    expect(await store.load("launch", thread.incarnation)).toEqual([]);
    await thread.close();
  });
});

describe("a server that ends", () => {
  it("says where a run stopped, to its reader and after a new start", async () => {
    const [log, store] = [memoryLog(), memoryRuns()];
    const before = await serve({ log, runs: { store } });
    const reader = await begin(before.url);
    const waiting = await begin(before.url, { runId: "r2" });
    before.steps.allow(3);
    await until(async () => (await before.info()).steps === 3);
    expect(await before.server.drain({ notice: 0, deadline: 100 })).toMatchObject({ cut: expect.any(Number) });
    const seen = await all(reader);
    const last = {
      type: "RUN_ERROR",
      code: "stopped",
      message: "The run was stopped after 3 steps: the server closed.",
    };
    expect(seen.at(-1)?.event).toEqual(last);
    expect((await all(waiting)).at(-1)?.event).toMatchObject({
      message: "The run was stopped before its first step: the server closed.",
    });
    const after = await serve({ log, runs: { store } });
    expect(await readRun(`${after.runs}/r1`)).toEqual(seen);
    expect(await after.info()).toMatchObject({ status: "stopped", steps: 3 });
  });

  it("is known to have died: what it kept is read, and then that it was stopped", async () => {
    const [log, store] = [memoryLog(), memoryRuns()];
    const before = await serve({ log, runs: { store } });
    before.steps.allow(STEPS);
    const whole = await all(await begin(before.url));
    await before.server.close();
    // What a process leaves that dies in the middle.
    const head = (await store.load("launch", await incarnationOf()))[0]?.head as RunHead;
    await store.drop([head]);
    await store.begin(head);
    await store.append(
      head,
      0,
      whole.slice(0, 40).map(({ event }) => JSON.stringify(event)),
    );
    const after = await serve({ log, runs: { store } });
    const events = await readRun(`${after.runs}/r1`);
    expect(events.slice(0, 40)).toEqual(whole.slice(0, 40));
    const steps = typesOf(whole.slice(0, 40)).filter((type) => type === "TOOL_CALL_RESULT").length;
    const message = `The run was stopped after ${steps} of ${steps + 1} steps: the server that ran it ended.`;
    expect(events.slice(40)).toMatchObject([
      {
        id: "41",
        event: { type: "CUSTOM", name: "opstate.stopped", value: { runId: "r1", steps, continuable: false } },
      },
      { id: "42", event: { type: "RUN_ERROR", code: "stopped", message } },
    ]);
    // A reader had more than was kept.
    expect(await readRun(`${after.runs}/r1?after=60`)).toEqual(events.slice(40));

    async function incarnationOf() {
      return (await log.info("launch"))?.incarnation ?? "";
    }
  });
});
