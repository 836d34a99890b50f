// Runs on several servers of one log: executed by the owner of their thread, read and stopped
// through any of them. On real servers and a real Postgres.

import { type AGUIEvent, EventType } from "@ag-ui/client";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { memoryRuns, type ServedAgent, type ServerOptions } from "../../src/index.ts";
import { type EventReader, readEvents, readStream } from "../support/events.ts";
import { longRun, STEPS, Steps } from "../support/long-run.ts";
import { cluster, SECRET, type TestNode } from "../support/nodes/nodes.ts";
import { startPostgres } from "../support/postgres.ts";
import { ada, asUser, createBoard, send } from "../support/server.ts";

const postgres = startPostgres();
afterAll(() => postgres?.stop());

const bob = asUser("bob", "read", "write");
const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 60_000 });

type NodesOptions = Partial<ServerOptions> & { readonly agent?: Partial<ServedAgent>; readonly lease?: number };

/** Two servers with one agent, and a thread that `owner` owns. */
async function twoNodes({ agent = {}, lease = 60_000, ...options }: NodesOptions = {}) {
  const steps = new Steps();
  const nodes = cluster(postgres?.config);
  const agents = { robot: { run: longRun(steps), definition: "board", ...agent } };
  const start = (secrets = [SECRET]) => nodes.start({ agents, secrets, lease, ...options });
  const [owner, other] = [await start(), await start()];
  await createBoard(owner.url);
  await nodes.give("launch", owner);
  return { steps, nodes, owner, other, start };
}

const begin = ({ url }: TestNode, { query = "?detached=true", runId = "r1", headers = ada } = {}) =>
  readStream(`${url}/ag-ui/robot${query}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ threadId: "launch", runId, messages: [{ id: "u1", role: "user", content: "Plan it" }] }),
  });

async function all(reader: EventReader): Promise<readonly AGUIEvent[]> {
  const found: AGUIEvent[] = [];
  for (;;) {
    const message = await reader.next().catch(() => undefined);
    if (message === undefined) return found;
    found.push(JSON.parse(message.data));
  }
}

const runsOf = ({ url }: TestNode) => `${url}/threads/launch/runs`;
const list = async (node: TestNode, headers = ada) => (await send(runsOf(node), "GET", undefined, headers)).body;
const read = async (node: TestNode, query = "", headers = ada) =>
  all(await readEvents(`${runsOf(node)}/r1${query}`, headers));
const stop = (node: TestNode, headers = ada) => send(`${runsOf(node)}/r1/stop`, "POST", undefined, headers);
const passedTo = ({ forwarded }: TestNode) =>
  forwarded.filter(({ request }) => new URL(request.url).pathname === "/nodes/requests");

/** As if its database were away from that server alone, until the returned function is called. */
function pauseRenewals({ log: { ownership } }: TestNode): () => void {
  const { renew } = ownership;
  let goOn = (): void => undefined;
  const paused = new Promise<void>((resolve) => (goOn = resolve));
  ownership.renew = async (...given) => {
    await paused;
    return renew.apply(ownership, given);
  };
  return goOn;
}

/** Who owns a thread is not known there until the returned function is called. */
function pauseLookups({ log: { ownership } }: TestNode) {
  const { ownerOf } = ownership;
  let goOn = (): void => undefined;
  let waiting = 0;
  const paused = new Promise<void>((resolve) => (goOn = resolve));
  ownership.ownerOf = async (...given) => {
    const owner = await ownerOf.apply(ownership, given);
    waiting += 1;
    await paused;
    return owner;
  };
  return { goOn, isWaiting: () => waiting > 0 };
}

const isQuestion = ({ request }: { readonly request: Request }) => new URL(request.url).pathname === "/nodes/runs";

describe.skipIf(!postgres)("a run that is requested from another server than the thread's owner", () => {
  it("is the owner's, and is read from any point through either", async () => {
    const { steps, owner, other } = await twoNodes();
    const reader = await begin(other);
    steps.allow(STEPS);
    const events = await all(reader);
    expect(events[0]?.type).toBe(EventType.RUN_STARTED);
    expect(events.at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect(events.filter(({ type }) => type === EventType.TOOL_CALL_RESULT)).toHaveLength(STEPS);
    expect(await read(owner)).toEqual(events);
    expect(await read(other)).toEqual(events);
    expect(await read(other, "?after=10")).toEqual(events.slice(10));
    expect(await read(other, "?from=10")).toEqual(await read(owner, "?from=10"));
    const [one, same] = [await list(owner), await list(other)];
    expect(one).toMatchObject([{ runId: "r1", status: "finished", steps: STEPS, actor: { id: "ada" } }]);
    expect(same).toEqual(one);
    // The agent wrote where the thread is: no operations went from one to the other.
    const calls = [...owner.forwarded, ...other.forwarded].filter(({ request }) => request.url.includes("/threads/"));
    expect(calls).toEqual([]);
    expect([...owner.errors, ...other.errors]).toEqual([]);
  });

  it("goes on when its reader leaves, and is stopped through either", async () => {
    const { steps, owner, other } = await twoNodes();
    const reader = await begin(other);
    steps.allow(3);
    await reader.until(20);
    reader.close();
    steps.allow(1);
    await until(async () => (await list(other))[0].steps === 4);
    expect(await stop(other)).toMatchObject({ status: 200, body: { status: "stopped" } });
    expect(steps).toMatchObject({ started: 1, aborted: 1 });
    expect((await read(owner)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
  });

  it("stops with its reader when it is not to go on", async () => {
    const { steps, owner, other } = await twoNodes();
    const reader = await begin(other, { query: "" });
    expect(JSON.parse((await reader.next()).data)).toMatchObject({ type: "RUN_STARTED" });
    reader.close();
    await until(() => steps.aborted === 1);
    await until(async () => (await list(owner))[0].status === "stopped");
  });

  it("is one run for a request that comes again through the other", async () => {
    const { steps, owner, other } = await twoNodes();
    const readers = [await begin(other), await begin(owner), await begin(other)];
    steps.allow(STEPS);
    const [first, ...rest] = await Promise.all(readers.map(all));
    for (const events of rest) expect(events).toEqual(first);
    expect(steps.started).toBe(1);
  });

  it("waits for the run that the thread has, wherever that was requested", async () => {
    const { steps, owner, other } = await twoNodes();
    const [first, second] = [await begin(owner), await begin(other, { runId: "r2" })];
    await until(() => steps.started === 1);
    expect((await list(other)).map(({ status }: { status: string }) => status)).toEqual(["running", "waiting"]);
    steps.allow(2 * STEPS);
    await Promise.all([all(first), all(second)]);
    expect(steps.started).toBe(2);
  });

  it("is begun by the next owner when that one is about to leave", async () => {
    const { steps, owner, other } = await twoNodes();
    const operation = { type: "addCard", columnId: "todo", cardId: "first", title: "First" };
    await send(`${other.url}/threads/launch/operations`, "POST", { operation, id: "first" });
    expect(owner.forwarded).toHaveLength(1);
    const closed = owner.server.close();
    const reader = await begin(other);
    expect(JSON.parse((await reader.next()).data)).toMatchObject({ type: "RUN_STARTED" });
    await closed;
    steps.allow(STEPS);
    expect((await all(reader)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect(steps.started).toBe(1);
  });

  it("is not shown to others through either, and stopped by those who may", async () => {
    const { steps, owner, other } = await twoNodes();
    await begin(other);
    await until(() => steps.started === 1);
    for (const node of [owner, other]) {
      expect(await list(node, bob)).toEqual([]);
      expect(await stop(node, bob)).toMatchObject({ status: 404, body: { code: "unknown_run" } });
      expect(await send(`${runsOf(node)}/r1`, "GET", undefined, bob)).toMatchObject({ status: 404 });
      expect(await send(`${runsOf(node)}/r1`, "GET", undefined, asUser("eve"))).toMatchObject({ status: 403 });
      expect(await send(`${runsOf(node)}/none`, "GET")).toMatchObject({ status: 404, body: { code: "unknown_run" } });
    }
    expect(await stop(other, asUser("carol", "read", "undo"))).toMatchObject({ status: 200 });
  });

  it("is not begun by a server that closed while it looked for the owner", async () => {
    const { steps, owner } = await twoNodes();
    await list(owner);
    const { goOn, isWaiting } = pauseLookups(owner);
    const reader = begin(owner);
    await until(isWaiting);
    await owner.server.close();
    goOn();
    expect((await reader).response.status).toBe(503);
    expect(steps.started).toBe(0);
  });

  it("goes to the next owner, which asked in the moment between the question who owns it and its begin", async () => {
    const { steps, nodes, owner, other } = await twoNodes();
    const { goOn, isWaiting } = pauseLookups(owner);
    const reader = begin(owner, { runId: "late" });
    await until(isWaiting);
    await nodes.give("launch", other);
    const first = await begin(other);
    await until(() => steps.started === 1);
    expect(owner.forwarded.some(isQuestion)).toBe(true);
    goOn();
    const late = await reader;
    expect(late.response.status).toBe(200);
    // It is in the queue of the new owner, so it waits.
    expect(await list(other)).toMatchObject([
      { runId: "r1", status: "running" },
      { runId: "late", status: "waiting" },
    ]);
    expect(passedTo(other).length).toBeGreaterThan(0);
    steps.allow(2 * STEPS);
    for (const found of [first, late]) expect((await all(found)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect(steps.started).toBe(2);
  });

  it("is not hidden by a run of another person that has its id", async () => {
    const { steps, nodes, owner, other } = await twoNodes();
    const reader = await begin(owner);
    await until(() => steps.started === 1);
    await begin(owner, { headers: bob });
    // It is not begun again, either.
    const again = await begin(owner);
    await nodes.give("launch", other);
    await begin(other, { headers: bob, query: "" });
    for (const node of [owner, other]) expect((await send(`${runsOf(node)}/r1`, "HEAD")).status).toBe(200);
    expect(await list(owner)).toHaveLength(1);
    expect(await stop(other)).toMatchObject({ status: 200, body: { status: "stopped" } });
    expect(steps.aborted).toBe(1);
    for (const events of [await all(reader), await all(again)])
      expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
    expect(await list(owner, bob)).toMatchObject([{ runId: "r1" }, { runId: "r1" }]);
  });

  it("is asked about its person's rights where it is executed", async () => {
    let revoked = false;
    const { steps, owner, other } = await twoNodes({
      recheckSeconds: 1,
      authorize: (request) => {
        const [kind = "", id = ""] = (request.headers.get("authorization") ?? "").split(" ");
        return { actor: { kind, id }, allows: () => !revoked };
      },
    });
    const reader = await begin(other);
    await until(() => steps.started === 1);
    revoked = true;
    await other.server.revoke({ actor: { kind: "user", id: "ada" } });
    expect((await all(reader)).at(-1)).toMatchObject({ type: "RUN_ERROR" });
    await until(() => steps.aborted === 1);
    expect(owner.errors).toEqual([]);
  });
});

describe.skipIf(!postgres)("a run under way", () => {
  it("is not begun again by its request, wherever that comes, when the thread has another owner by now", async () => {
    const { steps, nodes, owner, other } = await twoNodes();
    const third = await nodes.start({ agents: { robot: { run: longRun(steps), definition: "board" } } });
    const first = await begin(third);
    await until(() => steps.started === 1);
    await nodes.give("launch", other);
    const readers = [first, await begin(owner), await begin(other), await begin(third)];
    steps.allow(STEPS);
    const [events, ...rest] = await Promise.all(readers.map(all));
    for (const same of rest) expect(same).toEqual(events);
    expect(steps.started).toBe(1);
    // Nothing of what went from one to the other is still open.
    for (const { server } of [owner, other, third])
      expect(await server.drain({ notice: 0, deadline: 20_000 })).toEqual({ cut: 0 });
  });

  it("is waited for by the next one at the thread's next owner, and by the one after that", async () => {
    const { steps, nodes, owner, other } = await twoNodes();
    const statuses = async () => (await list(other)).map(({ status }: { status: string }) => status);
    const first = await begin(owner);
    await until(() => steps.started === 1);
    await nodes.give("launch", other);
    const second = await begin(owner, { runId: "r2" });
    await until(() => owner.forwarded.some(isQuestion));
    await nodes.give("launch", owner);
    const third = await begin(other, { runId: "r3" });
    await until(async () => (await statuses()).length === 3);
    expect(await statuses()).toEqual(["running", "waiting", "waiting"]);
    expect(steps.started).toBe(1);
    steps.allow(STEPS);
    await all(first);
    await until(() => steps.started === 2);
    expect(await statuses()).toEqual(["finished", "running", "waiting"]);
    steps.allow(2 * STEPS);
    for (const reader of [second, third]) expect((await all(reader)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect(steps.started).toBe(3);
    // The others are not asked again by a run of the same owner.
    const asked = other.forwarded.filter(isQuestion).length;
    steps.allow(STEPS);
    await all(await begin(owner, { runId: "r4" }));
    expect(other.forwarded.filter(isQuestion)).toHaveLength(asked);
    expect([...owner.errors, ...other.errors]).toEqual([]);
  });

  it.each([
    ["by the store", memoryRuns],
    ["by the thread's owner", undefined],
  ])("is ended where it runs when its server comes back after the next one began, %s", async (_by, store) => {
    const runs = store && { store: store() };
    const { steps, nodes, owner, other } = await twoNodes({ ...(runs && { runs }), lease: 800 });
    const reader = await begin(owner);
    await until(() => steps.started === 1);
    await nodes.give("launch", other);
    const second = await begin(other, { runId: "r2" });
    await until(() => owner.forwarded.some(isQuestion));
    const goOn = pauseRenewals(owner);
    await until(() => steps.started === 2);
    goOn();
    expect((await all(reader)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
    steps.allow(1 + STEPS);
    expect((await all(second)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
  });

  it("is begun all the same, and said so, when a server that is there cannot be asked", async () => {
    const { steps, nodes, owner, other } = await twoNodes({ lease: 1_000 });
    // Only that: the thread goes to the server that it prefers meanwhile, and may be written there.
    owner.front = async (passing) => (isQuestion(passing) ? new Response("", { status: 502 }) : undefined);
    await nodes.give("launch", other);
    const reader = await begin(other, { query: "" });
    steps.allow(STEPS);
    expect((await all(reader)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect(other.errors).toMatchObject([{ code: "log_unavailable" }]);
  });

  it("waits neither for a server of an older release nor for a database that is away for a moment", async () => {
    const { steps, nodes, owner, other } = await twoNodes();
    owner.front = () => Promise.resolve(new Response("{}", { status: 404 }));
    await nodes.give("launch", other);
    const { ownership } = other.log;
    const { renew } = ownership;
    let failed = 0;
    ownership.renew = (...given) => {
      if (failed > 0) return renew.apply(ownership, given);
      failed += 1;
      return Promise.reject(new Error("no database"));
    };
    const reader = await begin(other, { query: "" });
    steps.allow(STEPS);
    expect((await all(reader)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect([failed, other.errors]).toEqual([1, []]);
  });

  it("is not missed in a list when its server cannot answer", async () => {
    const { owner, other } = await twoNodes();
    owner.front = async ({ request }) => {
      const tooMany = new Response('{"code":"too_many_requests"}', {
        status: 429,
        headers: { "opstate-node-answered": "true" },
      });
      return request.url.includes("/nodes/requests") ? tooMany : undefined;
    };
    expect((await send(runsOf(other), "GET")).status).toBe(429);
  });

  it("is in a list that its server began to answer and did not, and answered when it was asked again", async () => {
    const { steps, owner, other } = await twoNodes({ logTimeout: 500 });
    await begin(owner);
    await until(() => steps.started === 1);
    let answers = 0;
    owner.front = async ({ request }) => {
      if (!request.url.includes("/nodes/requests") || (answers += 1) > 1) return undefined;
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("[")) });
      const headers = { "opstate-node-answered": "1", "content-type": "application/json" };
      return new Response(body, { headers });
    };
    expect(await list(other)).toMatchObject([{ runId: "r1" }]);
    expect(answers).toBe(2);
  });

  it("is found at a server that came a moment ago", async () => {
    const { steps, nodes, owner, other } = await twoNodes();
    await list(owner);
    const third = await nodes.start({ agents: { robot: { run: longRun(steps), definition: "board" } } });
    await nodes.give("launch", third);
    await begin(third);
    await until(() => steps.started === 1);
    for (const node of [owner, other]) expect(await stop(node)).toMatchObject({ status: 200, body: { runId: "r1" } });
  });

  it("is listed, and not begun again by its request, when its server came a moment ago", async () => {
    const { steps, nodes, owner, other, start } = await twoNodes();
    for (const node of [owner, other]) expect(await list(node)).toEqual([]);
    const third = await start();
    await nodes.give("launch", third);
    const first = await begin(third);
    await until(() => steps.started === 1);
    for (const node of [owner, other]) expect(await list(node)).toMatchObject([{ runId: "r1" }]);
    const fourth = await start();
    await nodes.give("launch", fourth);
    const second = await begin(fourth, { runId: "r2" });
    await nodes.give("launch", owner);
    const again = await begin(owner, { runId: "r2" });
    steps.allow(2 * STEPS);
    await all(first);
    expect(await all(again)).toEqual(await all(second));
    expect(steps.started).toBe(2);
  });

  it("is waited for no longer than the lease of its server, and not by a run that is stopped", async () => {
    const { steps, nodes, owner, other } = await twoNodes({ lease: 1_000 });
    await begin(owner);
    await until(() => steps.started === 1);
    await nodes.give("launch", other);
    const second = await begin(other, { runId: "r2" });
    await until(() => owner.forwarded.some(isQuestion));
    expect(await send(`${runsOf(other)}/r2/stop`, "POST")).toMatchObject({ body: { status: "stopped" } });
    expect((await all(second)).map(({ type }) => type)).toEqual([EventType.RUN_ERROR]);
    const third = await begin(other, { runId: "r3" });
    owner.front = () => Promise.resolve(new Response("", { status: 502 }));
    const { ownership } = owner.log;
    ownership.renew = () => Promise.reject(new Error("no database"));
    await until(() => steps.started === 2);
    steps.allow(2 * STEPS);
    expect((await all(third)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
  });

  it("is one run where a server still believes in the owner before", async () => {
    const { steps, nodes, owner, other } = await twoNodes();
    const operation = { type: "addCard", columnId: "todo", cardId: "first", title: "First" };
    await send(`${other.url}/threads/launch/operations`, "POST", { operation, id: "first" });
    await nodes.give("launch", other);
    const readers = await Promise.all([begin(other), begin(owner)]);
    steps.allow(2 * STEPS);
    const [one, same] = await Promise.all(readers.map(all));
    expect(same).toEqual(one);
    expect(steps.started).toBe(1);
  });

  it("is ended where it runs when another server took it for dead", async () => {
    const lease = 800;
    const { steps, owner, other } = await twoNodes({
      runs: { store: memoryRuns() },
      agent: { continuable: true },
      lease,
    });
    const reader = await begin(owner);
    steps.allow(2);
    await until(async () => (await list(owner))[0]?.steps === 2);
    const goOn = pauseRenewals(owner);
    await until(async () => (await list(other))[0]?.status === "stopped");
    goOn();
    expect((await all(reader)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
    expect(steps.aborted).toBe(1);
    for (const node of [owner, other]) expect(await list(node)).toMatchObject([{ status: "stopped" }]);
  });

  it("of a server that is lost leaves nothing behind when it is erased before anybody looked", async () => {
    const store = memoryRuns();
    const { steps, owner, other } = await twoNodes({ runs: { store } });
    const reader = await begin(owner);
    steps.allow(2);
    await until(async () => (await list(other))[0]?.steps === 2);
    await owner.server.close();
    await all(reader);
    const { incarnation = "" } = (await other.log.info("launch")) ?? {};
    expect(await store.load("launch", incarnation)).toHaveLength(1);
    const redacted = await send(`${other.url}/threads/launch/redact`, "POST", { author: { kind: "user", id: "ada" } });
    expect(redacted.status).toBe(200);
    await until(async () => (await store.load("launch", incarnation)).length === 0);
    expect(await list(other)).toEqual([]);
  });

  it("stays where it is when the thread gets another owner, and is found there", async () => {
    const { steps, nodes, owner, other } = await twoNodes();
    const reader = await begin(owner);
    steps.allow(2);
    await reader.until(15);
    await nodes.give("launch", other);
    steps.allow(1);
    for (const node of [owner, other]) {
      await until(async () => (await list(node))[0]?.steps === 3);
      const late = await readEvents(`${runsOf(node)}/r1`, ada);
      expect(await late.next()).toMatchObject({ id: "1" });
      late.close();
    }
    expect(await stop(other)).toMatchObject({ status: 200, body: { status: "stopped" } });
    expect((await all(reader)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
  });

  it.each([
    ["is followed to its end by its request", "r1", "?detached=true", "stopped"],
    ["goes on at another", "r1.2", "?detached=true&continues=r1", undefined],
  ])("%s, which comes while the lease of its lost server runs", async (_what, runId, query, code) => {
    const continuable = { runs: { store: memoryRuns() }, agent: { continuable: true }, lease: 1_000 };
    const { steps, owner, other } = await twoNodes(continuable);
    await begin(owner);
    steps.allow(2);
    await until(async () => (await list(other))[0]?.steps === 2);
    const goOn = pauseRenewals(owner);
    onTestFinished(goOn);
    owner.front = () => Promise.resolve(new Response("", { status: 503 }));
    const reader = await begin(other, { runId, query });
    expect(reader.response.status).toBe(200);
    // The agent of the lost server takes some of them, too.
    if (code === undefined) steps.allow(2 * STEPS);
    const type = code === undefined ? EventType.RUN_FINISHED : EventType.RUN_ERROR;
    expect((await all(reader)).at(-1)).toMatchObject({ type, ...(code !== undefined && { code }) });
    expect(steps.started).toBe(code === undefined ? 2 : 1);
  });

  it("is stopped when its server leaves, and known to the others by the store that they share", async () => {
    const { steps, owner, other, start } = await twoNodes({
      runs: { store: memoryRuns() },
      agent: { continuable: true },
    });
    const reader = await begin(other);
    steps.allow(2);
    await until(async () => (await list(other))[0]?.steps === 2);
    await owner.server.close();
    expect((await all(reader)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
    const third = await start();
    for (const node of [other, third]) {
      expect(await list(node)).toMatchObject([{ runId: "r1", status: "stopped", steps: 2, continuable: true }]);
      expect((await read(node)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stopped" });
    }
    const goesOn = await begin(third, { query: "?detached=true&continues=r1", runId: "r1.2" });
    // One for the agent that was cut, which waits too.
    steps.allow(1 + STEPS);
    expect((await all(goesOn)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect((await list(other)).map(({ runId }: { runId: string }) => runId)).toEqual(["r1", "r1.2"]);
  });

  it("is not taken for one that died by a server that reads the store", async () => {
    const { steps, owner, start } = await twoNodes({ runs: { store: memoryRuns() } });
    const reader = await begin(owner);
    steps.allow(2);
    await until(async () => (await list(owner))[0]?.steps === 2);
    const third = await start();
    expect(await list(third)).toMatchObject([{ runId: "r1", status: "running", steps: 2 }]);
    steps.allow(STEPS);
    expect((await all(reader)).at(-1)?.type).toBe(EventType.RUN_FINISHED);
    expect(await list(third)).toMatchObject([{ runId: "r1", status: "finished" }]);
  });
});

describe.skipIf(!postgres)("a request that goes to another server", () => {
  it("is waited for when the server at that address was started again, and answered then", async () => {
    const { nodes, owner, other } = await twoNodes();
    await nodes.pool.query(
      `INSERT INTO "${nodes.schema}".nodes (node, address, draining, expires) VALUES ('before', $1, false, now() + interval '1 second')`,
      [owner.url],
    );
    expect(await send(runsOf(other), "GET")).toMatchObject({ status: 200, body: [] });
    expect(other.errors).toEqual([]);
  });

  it("may be a HEAD", async () => {
    const { steps, owner, other } = await twoNodes();
    await begin(owner);
    await until(() => steps.started === 1);
    for (const path of ["", "/r1"])
      expect((await fetch(runsOf(other) + path, { method: "HEAD", headers: ada })).status).toBe(200);
    expect([...owner.errors, ...other.errors]).toEqual([]);
  });

  it("is signed, so nobody else may send one", async () => {
    const { owner, other } = await twoNodes();
    await list(other);
    const [passing] = passedTo(owner);
    if (passing === undefined) throw new Error("a request that was passed on");
    expect(await (await owner.again(passing)).json()).toMatchObject({ code: "node_refused" });
    const body = passing.body.replace("ada", "eve");
    expect(await (await owner.again(passing, { body })).json()).toMatchObject({ code: "node_refused" });
    const unsigned = await send(`${owner.url}/nodes/requests`, "POST", {});
    expect(unsigned).toMatchObject({ status: 403, body: { code: "node_refused" } });
  });

  it("says so when the servers have different secrets", async () => {
    const { start } = await twoNodes();
    const stranger = await start(["another secret of at least thirty-two characters"]);
    const answer = await send(runsOf(stranger), "GET");
    expect(answer).toMatchObject({ status: 503, body: { code: "log_unavailable" } });
    expect(answer.body.detail).toContain("`node.secrets`");
  });

  it("is answered as by the first, with its address, its credentials and its id", async () => {
    const seen: (readonly [string, string | null])[] = [];
    const { owner, other } = await twoNodes({
      authorize: (request) => {
        seen.push([request.url, request.headers.get("cookie")]);
        return { actor: { kind: "user", id: "ada" }, allows: () => true };
      },
    });
    seen.length = 0;
    const url = `${other.url}/threads/launch/runs/none`;
    const response = await fetch(url, { headers: { cookie: "session=1", "x-request-id": "mine" } });
    expect(response.status).toBe(404);
    expect(response.headers.get("x-request-id")).toBe("mine");
    expect(response.headers.get("opstate-node-answered")).toBeNull();
    expect(new Set(seen.map(([address]) => address))).toEqual(new Set([url]));
    expect(new Set(seen.map(([, cookie]) => cookie))).toEqual(new Set(["session=1"]));
    expect(passedTo(owner)).toHaveLength(1);
  });
});
