// Owners that stop, die and leave, in processes of their own, on a real Postgres.

import { ChatSession, memoryStorage, stoppedRun } from "@opstate/ag-ui";
import { postgresStreams } from "@opstate/streams/postgres";
import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { streamRuns } from "../../src/index.ts";
import { preferredNode } from "../../src/owners/preferred-node.ts";
import { postgresLog } from "../../src/postgres/index.ts";
import { type NodeProcess, startNode } from "../support/nodes/node-process.ts";
import { startPostgres } from "../support/postgres.ts";
import { ada, createBoard, send } from "../support/server.ts";

const postgres = startPostgres();
afterAll(() => postgres?.stop());

const LEASE = 500;
const soon = { timeout: 60_000, interval: 20 };

async function setUp(count: number) {
  const config = postgres?.config ?? {};
  const schema = `processes_${randomUUID().slice(0, 8)}`;
  const pool = new Pool({ ...config, max: 4 });
  onTestFinished(() => pool.end());
  const nodes: NodeProcess[] = [];
  const secret = randomUUID();
  const start = async () => {
    const node = await startNode({ kind: "postgres", config, schema }, secret, LEASE);
    nodes.push(node);
    return node;
  };
  for (let index = 0; index < count; index += 1) await start();
  const [first] = nodes;
  if (first === undefined) throw new Error("a node");
  await createBoard(first.url);
  await post(first, "first");
  const owner = async () => {
    const { rows } = await pool.query(
      `SELECT owner.address, owner.epoch FROM "${schema}".owner JOIN "${schema}".threads ON key = thread WHERE thread_id = 'launch'`,
    );
    return rows[0] as { readonly address: string; readonly epoch: string } | undefined;
  };
  /** Once the thread is where it stays: one that came later takes over what prefers it. */
  const ownerIs = async () => {
    const all = nodes.map(({ url }) => ({ id: "", address: url, isDraining: false, left: LEASE }));
    const address = preferredNode(all, "launch")?.address;
    await expect.poll(async () => (await owner())?.address, soon).toBe(address);
    const index = nodes.findIndex(({ url }) => url === address);
    const [at, other] = [nodes[index], nodes.find((_, place) => place !== index)];
    if (at === undefined || other === undefined) throw new Error("an owner and another node");
    return { at, other };
  };
  /** Resolves when three results of the run are stored: a page may have them before. */
  const stored = async () => {
    const streams = postgresStreams({ pool, schema: `${schema}_runs` });
    const log = postgresLog({ pool, schema });
    const { incarnation = "" } = (await log.info("launch")) ?? {};
    const results = async () => {
      const [run] = await streamRuns(streams).load("launch", incarnation);
      return run?.events.filter((json) => json.includes("TOOL_CALL_RESULT"));
    };
    await expect.poll(results, soon).toHaveLength(3);
    await Promise.all([streams.close(), log.close()]);
  };
  return { pool, schema, nodes, start, owner, ownerIs, stored };
}

const post = ({ url }: NodeProcess, id: string) =>
  send(`${url}/threads/launch/operations`, "POST", {
    operation: { type: "addCard", columnId: "todo", cardId: id, title: id },
    id,
  });

async function cardsAt({ url }: NodeProcess): Promise<readonly string[]> {
  const { body } = await send(`${url}/threads/launch`, "GET");
  return body.state.columns[0].cards.map(({ cardId }: { cardId: string }) => cardId);
}

async function historyAt({ url }: NodeProcess): Promise<readonly { version: number; id: string }[]> {
  const { body } = await send(`${url}/threads/launch/history?limit=1000`, "GET");
  return body.map(({ commit }: { commit: { version: number; id: string } }) => commit);
}

describe.skipIf(!postgres)("an owner in another process", () => {
  it("that was stopped past its lease is fenced when it goes on, and its senders get a true verdict", async () => {
    const { ownerIs, owner } = await setUp(2);
    const { at, other } = await ownerIs();
    const before = await owner();
    at.signal("SIGSTOP");
    // These lie in its sockets, and it takes them when it goes on.
    const asleep = Array.from({ length: 10 }, (_, index) => post(at, `asleep ${index}`));
    const awake = await Promise.all(Array.from({ length: 10 }, (_, index) => post(other, `awake ${index}`)));
    for (const { status, body } of awake) expect([status, body.accepted]).toEqual([200, true]);
    const after = await owner();
    expect(after?.address).toBe(other.url);
    expect(Number(after?.epoch)).toBe(Number(before?.epoch) + 1);
    at.signal("SIGCONT");
    const late = await Promise.all(asleep);
    for (const { status, body } of late) expect([status, body.accepted]).toEqual([200, true]);
    const history = await historyAt(other);
    expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1));
    // Each verdict says where its commit stands.
    for (const [index, { body }] of late.entries()) expect(history[body.version - 1]?.id).toBe(`asleep ${index}`);
    for (const [index, { body }] of awake.entries()) expect(history[body.version - 1]?.id).toBe(`awake ${index}`);
    expect(history).toHaveLength(21);
  });

  it("that was killed costs its writers the lease, and nothing that was acknowledged", async () => {
    const { ownerIs, start } = await setUp(2);
    const { at, other } = await ownerIs();
    for (let index = 0; index < 20; index += 1) expect((await post(other, `before ${index}`)).status).toBe(200);
    at.signal("SIGKILL");
    await at.ended();
    const killedAt = performance.now();
    expect((await post(other, "after")).status).toBe(200);
    const gap = performance.now() - killedAt;
    // A machine that is busy may take its time, but not a multiple.
    expect(gap).toBeLessThan(10 * LEASE);
    expect(await cardsAt(other)).toHaveLength(22);
    const again = await start();
    expect((await post(again, "again")).status).toBe(200);
    expect((await historyAt(again)).map(({ version }) => version)).toEqual(
      Array.from({ length: 23 }, (_, index) => index + 1),
    );
  });

  it("that is drained hands over: no writer, here or there, is refused", async () => {
    const { ownerIs, owner } = await setUp(2);
    const { at, other } = await ownerIs();
    const over = new AbortController();
    const write = async (node: NodeProcess, name: string) => {
      const statuses = new Set<number>();
      let count = 0;
      for (; !over.signal.aborted; count += 1) statuses.add((await post(node, `${name} ${count}`)).status);
      return { statuses: [...statuses], count };
    };
    const writing = [write(other, "one"), write(other, "two")];
    // Until it listens no more, the node that leaves answers too.
    // A connection that it has not taken by then is lost, and nothing was done.
    const own = Array.from({ length: 5 }, (_, index) => post(at, `own ${index}`));
    at.signal("SIGTERM");
    const answered = (await Promise.allSettled(own)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    for (const { status } of answered) expect(status).toBe(200);
    expect(await at.ended()).toBe(0);
    await expect.poll(async () => (await owner())?.address, soon).toBe(other.url);
    await post(other, "last");
    over.abort();
    const written = await Promise.all(writing);
    for (const { statuses } of written) expect(statuses).toEqual([200]);
    const cards = await cardsAt(other);
    expect(cards).toHaveLength(2 + answered.length + written.reduce((sum, { count }) => sum + count, 0));
    expect(new Set(cards).size).toBe(cards.length);
  });

  it("gives what another node is preferred for to that node, when one comes", async () => {
    const { nodes, start, pool, schema } = await setUp(1);
    const [first] = nodes;
    if (first === undefined) throw new Error("a node");
    const ids = Array.from({ length: 40 }, (_, index) => `thread-${index}`);
    for (const id of ids) {
      await createBoard(first.url, id);
      const operation = { type: "addCard", columnId: "todo", cardId: id, title: id };
      expect((await send(`${first.url}/threads/${id}/operations`, "POST", operation)).status).toBe(200);
    }
    const second = await start();
    const shares = async () => {
      const { rows } = await pool.query(`SELECT address, count(*)::int FROM "${schema}".owner GROUP BY address`);
      return new Map(rows.map(({ address, count }) => [address, count]));
    };
    await expect.poll(async () => (await shares()).get(second.url) ?? 0, soon).toBeGreaterThan(8);
    expect((await shares()).get(first.url)).toBeGreaterThan(8);
    for (const id of ids) {
      const operation = { type: "rename", cardId: id, title: "renamed" };
      expect((await send(`${first.url}/threads/${id}/operations`, "POST", operation)).status).toBe(200);
    }
  });

  it("that was killed in the middle of a run leaves it to the others, where it goes on", async () => {
    const { ownerIs, stored } = await setUp(2);
    const { at, other } = await ownerIs();
    const session = sessionAt(other);
    void session.send("Plan it");
    await expect.poll(() => resultsOf(session), soon).toBe(3);
    await stored();
    at.signal("SIGKILL");
    await expect.poll(() => session.getState().phase, soon).toBe("error");
    expect(session.getState().error).toMatchObject({ code: "stopped" });
    expect(stoppedRun(session.getState())).toMatchObject({ steps: 3, calls: 6, continuable: true });
    await session.continueRun();
    expect(session.getState()).toMatchObject({ phase: "idle" });
    expect((await cardsAt(other)).filter((card) => card.includes("-c"))).toHaveLength(6);
    expect((await historyAt(other)).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("that drains with a run under way is asked for it, and says so", async () => {
    const { ownerIs } = await setUp(2);
    const { at, other } = await ownerIs();
    const session = sessionAt(other);
    void session.send("Plan it");
    await expect.poll(() => resultsOf(session), soon).toBe(3);
    at.signal("SIGTERM");
    await expect.poll(async () => (await fetch(`${at.url}/readyz`)).status, soon).toBe(503);
    const runs = `${other.url}/threads/launch/runs`;
    // Its notice of 300 milliseconds ends meanwhile.
    for (const until = performance.now() + 600; performance.now() < until;)
      expect(await send(runs, "GET")).toMatchObject({ status: 200, body: [{ status: "running", steps: 3 }] });
    const [{ runId }] = (await send(runs, "GET")).body;
    expect(await send(`${runs}/${runId}/stop`, "POST")).toMatchObject({ status: 200, body: { status: "stopped" } });
  });

  it("goes on with a run when the server that it was requested from is killed", async () => {
    const { ownerIs } = await setUp(2);
    const { at, other } = await ownerIs();
    const storage = memoryStorage();
    const session = sessionAt(other, storage);
    void session.send("Plan it");
    await expect.poll(() => resultsOf(session), soon).toBe(3);
    await session.saved();
    other.signal("SIGKILL");
    const again = sessionAt(at, storage);
    await expect.poll(() => resultsOf(again), soon).toBe(3);
    expect(again.getState().phase).toBe("running");
    again.abort();
    const runs = async () => (await send(`${at.url}/threads/launch/runs`, "GET")).body;
    await expect.poll(runs, soon).toMatchObject([{ status: "stopped", steps: 3, calls: 6 }]);
  });
});

function sessionAt({ url }: NodeProcess, storage = memoryStorage()): ChatSession {
  const session = new ChatSession({ url: `${url}/ag-ui/robot`, threadId: "launch", storage, headers: ada });
  onTestFinished(() => session.abort());
  return session;
}

function resultsOf(session: ChatSession): number {
  return session.getState().messages.filter(({ role }) => role === "tool").length;
}
