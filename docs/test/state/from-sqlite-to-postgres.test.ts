// "From SQLite to Postgres": threads with all that a thread can have are moved by the script as
// printed and compared; then two processes of the server as printed work on one of them. On a real
// Postgres, in a database of its own.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createReplica, type AnyDefinition, type Log, openThread, type Thread } from "@opstate/core";
import { httpTransport } from "@opstate/server/client";
import { postgresLog } from "@opstate/server/postgres";
import { sqliteLog } from "@opstate/server/sqlite";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../packages/server/test/support/postgres.ts";
import { writeGuide } from "../support/guide.ts";
import { startProgram } from "../support/program.ts";

const folder = writeGuide("from-sqlite-to-postgres");
const { board }: { board: AnyDefinition } = await import(join(folder, "board.ts"));
const ada = { kind: "user", id: "ada" };
const robot = { kind: "agent", id: "robot" };
const soon = { timeout: 60_000 };
const addCard = (name: string) => ({ type: "addCard", title: `Card ${name}` });

const postgres = startPostgres();
const name = `opstate_guide_${process.pid}`;
const admin = new Pool(postgres?.config);
let environment: { DATABASE_URL: string };
let pool: Pool;

beforeAll(async () => {
  if (!postgres) return;
  await admin.query(`CREATE DATABASE ${name}`);
  const { connectionString, host = "", user = "" } = postgres.config;
  const url = new URL(connectionString ?? `postgresql://${user}@localhost/?host=${encodeURIComponent(host)}`);
  url.pathname = name;
  environment = { DATABASE_URL: url.href };
  pool = new Pool({ connectionString: url.href });
});
afterAll(async () => {
  if (!postgres) return;
  await pool.end();
  // It waits for connections that are still ending.
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
  await postgres.stop();
});

const open = (log: Log, threadId: string) => openThread({ definition: board, log, threadId });

/** The log of the guide's SQLite server. */
function sqlite(): Log {
  mkdirSync(join(folder, "data"), { recursive: true });
  return sqliteLog({ path: join(folder, "data/boards.sqlite") });
}

async function move() {
  const script = startProgram(folder, "move.ts", environment);
  return { code: await script.ended, output: script.output() };
}

/** All that the port reads of a thread, but the incarnation. */
async function everything(log: Log, threadId: string) {
  const info = await log.info(threadId);
  const commits = await log.read(threadId, {});
  const refusals = await log.refusals(threadId);
  const receipts = await Promise.all(
    [...commits, ...refusals].map(({ actor, id }) => log.receipt(threadId, actor, id)),
  );
  const snapshots = await Promise.all([0, 499, 500, 600].map((version) => log.snapshotAt(threadId, version)));
  return { info: { ...info, incarnation: "" }, commits, refusals, receipts, snapshots };
}

async function fill(log: Log): Promise<void> {
  const thread = await open(log, "launch");
  const cards = Array.from({ length: 510 }, (_, index) => `T-${index + 1}`);
  await Promise.all(
    cards.map((id, index) =>
      thread.dispatch(addCard(id), { actor: index % 2 ? ada : robot, id: `add ${id}`, runId: "run" }),
    ),
  );
  await thread.dispatch(addCard("T-1"), { actor: robot, id: "twice" });
  await thread.dispatch({ type: "rename", id: "T-0", title: "Nobody" }, { actor: ada, id: "no change" });
  await thread.undo({ ids: ["add T-510"] }, { actor: ada, id: "undo" });
  await thread.propose(addCard("proposed"), { actor: robot, id: "proposal" });
  const branch = await thread.branch();
  await branch.dispatch(addCard("branched"), { actor: robot });
  await branch.merge({ actor: ada });
  await branch.discard();
  await (await open(log, "empty \u{1f4cb}")).close();
}

describe.skipIf(!postgres)("moving threads", () => {
  it("moves nothing while there is what it cannot move", async () => {
    const log = sqlite();
    const short = await open(log, "short");
    for (const id of ["a", "b"]) await short.dispatch(addCard(id), { actor: ada });
    const branch = await short.branch();
    expect(await move()).toMatchObject({ code: 1, output: expect.stringContaining('is a branch of "short"') });
    await branch.discard();
    await short.compact({ keep: 1 });
    expect(await move()).toMatchObject({ code: 1, output: expect.stringContaining('"short" was compacted') });
    await short.close();
    await log.delete("short");
    await log.close();
    const to = postgresLog({ pool });
    expect(await to.list()).toEqual([]);
    await to.close();
  });

  it("keeps versions, history, refusals, snapshots and receipts", async () => {
    const from = sqlite();
    await fill(from);
    expect(await move()).toMatchObject({ code: 0, output: expect.stringContaining("launch: version 513") });
    const to = postgresLog({ pool });
    for (const { threadId } of await from.list())
      expect(await everything(to, threadId)).toEqual(await everything(from, threadId));
    expect((await to.list()).length).toBe(2);
    await from.close();
    await to.close();
  });

  describe("and then", () => {
    let log: Log;
    let thread: Thread;
    beforeAll(async () => {
      log = postgresLog({ pool });
      thread = await open(log, "launch");
    });
    afterAll(async () => {
      await thread.close();
      await log.close();
    });

    it("gives ids that were used their verdicts, and no second effect", async () => {
      expect(await thread.dispatch(addCard("T-7"), { actor: robot, id: "add T-7" })).toMatchObject({
        accepted: true,
        version: 7,
      });
      expect(await thread.dispatch(addCard("T-1"), { actor: robot, id: "twice" })).toMatchObject({
        accepted: false,
        version: 510,
      });
      const again = await thread.dispatch(addCard("other"), { actor: robot, id: "add T-7" });
      expect(again).toMatchObject({ accepted: false, rejection: { code: "conflict" } });
      expect(thread.version).toBe(513);
    });

    it("judges anew what changed nothing, as the guide says", async () => {
      const rename = { type: "rename", id: "T-0", title: "Nobody" };
      expect(await thread.dispatch(rename, { actor: ada, id: "no change" })).toMatchObject({
        accepted: true,
        version: 513,
      });
    });

    it("goes on with its past: time travel, explanation, undo, proposals", async () => {
      expect(await thread.stateAt(3)).toMatchObject({
        cards: [{ title: "Card T-1" }, { title: "Card T-2" }, { title: "Card T-3" }],
      });
      expect((await thread.explain("/cards/1"))?.actor).toEqual(ada);
      expect(await thread.undo({ ids: ["undo"] }, { actor: ada })).toMatchObject({ accepted: true, version: 514 });
      const [proposal] = await thread.proposals();
      expect(await thread.approve(proposal?.id ?? "", { actor: ada })).toMatchObject({ accepted: true, version: 515 });
      const titles = (thread.getState() as { cards: { title: string }[] }).cards.map(({ title }) => title);
      expect(titles).toEqual(expect.arrayContaining(["Card T-510", "Card branched", "Card proposed"]));
    });
  });

  it("does not move twice", async () => {
    expect(await move()).toMatchObject({ code: 1, output: expect.stringContaining("is in Postgres already") });
  });
});

describe.skipIf(!postgres)("two processes", () => {
  async function serve() {
    const program = startProgram(folder, "server.ts", { ...environment, PORT: "0" });
    onTestFinished(() => program.stop());
    const [, url = ""] = await program.printed(/Listening on (\S+)/);
    return { program, url };
  }

  /** Of a thread that is there: a page that finds none says so, and does not retry. */
  function replicaOf(url: string) {
    const replica = createReplica({ definition: board, transport: httpTransport({ url, threadId: "two" }) });
    onTestFinished(() => replica.close());
    return replica;
  }

  it("serve one thread: both write, both are notified of it, and one goes on without the other", async () => {
    const [first, second] = [await serve(), await serve()];
    const headers = { "content-type": "application/json" };
    await fetch(`${first.url}/threads/two`, { method: "PUT", headers, body: JSON.stringify({ definition: "board" }) });
    const left = { ...first, replica: replicaOf(first.url) };
    const right = { ...second, replica: replicaOf(second.url) };
    await Promise.all([left.replica.ready(), right.replica.ready()]);
    const ids = Array.from({ length: 20 }, (_, index) => `T-${index}`);
    const verdicts = await Promise.all(
      ids.map((id, index) => (index % 2 ? left : right).replica.dispatch(addCard(id))),
    );
    expect(verdicts.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(ids.map((_, index) => index + 1));
    await expect
      .poll(() => [left.replica, right.replica].map((replica) => replica.sync.getState().version), soon)
      .toEqual([20, 20]);
    expect(left.replica.getState()).toEqual(right.replica.getState());
    left.program.stop().catch(() => undefined);
    expect(await left.program.ended).toBe(0);
    expect(await right.replica.dispatch(addCard("last"))).toMatchObject({ accepted: true, version: 21 });
  });
});
