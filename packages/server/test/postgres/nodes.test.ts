// Several processes on one Postgres: nothing is lost or doubled, a killed writer loses no
// acknowledged write, and each node follows the commits of the others by the doorbell or the poll.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { type Log, openThread } from "@opstate/core";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type PostgresLogOptions, postgresLog } from "../../src/postgres/index.ts";
import { addCard, board } from "../support/board.ts";
import { entry, newThread, writeTo } from "../support/entries.ts";
import { dropSchemas, startPostgres } from "../support/postgres.ts";

const postgres = startPostgres();
const pool = new Pool({ ...postgres?.config, max: 8 });
const schemas = new Set<string>();
const soon = { interval: 2, timeout: 60_000 };

function newSchema(): string {
  const schema = `opstate_test_${randomUUID().slice(0, 13).replace("-", "_")}`;
  schemas.add(schema);
  return schema;
}

function open(options: Partial<PostgresLogOptions> = {}) {
  const log = postgresLog({ pool, ...options });
  onTestFinished(() => log.close());
  return log;
}

/**
 * Follows a thread from another node, as an authority does: on each head it reads the new commits.
 */
function follow(log: ReturnType<typeof postgresLog>, threadId: string) {
  const heads: number[] = [];
  const stop = log.watch(threadId, (version) => heads.push(version));
  onTestFinished(stop);
  return { heads, stop };
}

afterAll(async () => {
  if (postgres) await dropSchemas(pool, schemas);
  await pool.end();
  await postgres?.stop();
});

describe.skipIf(!postgres)("several nodes on one Postgres", { timeout: 240_000 }, () => {
  interface Writer {
    readonly child: ChildProcess;
    readonly acknowledged: Map<string, number>;
    readonly ended: Promise<unknown>;
  }

  async function startWriter(schema: string, name: string, count: number): Promise<Writer> {
    const child = fork(join(import.meta.dirname, "../support/processes/postgres-writer.ts"), [], {
      execArgv: ["--conditions=@opstate/source"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "message");
    const acknowledged = new Map<string, number>();
    child.on("message", (message: { id?: string; version?: number }) => {
      if (message.id !== undefined) acknowledged.set(message.id, message.version ?? 0);
    });
    const ended = once(child, "exit");
    child.send({ config: postgres?.config, schema, threadId: "a", name, count });
    return { child, acknowledged, ended };
  }

  it("two processes that write to one thread lose nothing", async () => {
    const schema = newSchema();
    const log = open({ schema });
    await log.create(newThread("a"));
    const writers = await Promise.all(["left", "right"].map((name) => startWriter(schema, name, 150)));
    for (const { ended } of writers) await ended;
    const commits = await log.read("a", { after: 0 });
    expect(commits.map(({ version }) => version)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(new Set(commits.map(({ id }) => id)).size).toBe(300);
    for (const { acknowledged } of writers) {
      expect(acknowledged.size).toBe(150);
      for (const [id, version] of acknowledged) expect(commits[version - 1]?.id).toBe(id);
    }
  });

  it("two logs that write batches to many threads lose nothing", async () => {
    const schema = newSchema();
    const logs = [open({ schema }), open({ schema })];
    const threadIds = ["a", "b", "c", "d"];
    for (const threadId of threadIds) await logs[0]?.create(newThread(threadId));
    await Promise.all(
      logs.flatMap((log, node) =>
        threadIds.map(async (threadId) => {
          for (let round = 0; round < 10; round += 1)
            await writeTo(log, threadId, (next) =>
              Array.from({ length: 8 }, (_, index) => entry(next + index, `${node}-${round}-${index}`)),
            );
        }),
      ),
    );
    for (const threadId of threadIds) {
      const commits = (await logs[1]?.read(threadId, { after: 0 })) ?? [];
      expect(commits.map(({ version }) => version)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
      expect(new Set(commits.map(({ id }) => id)).size).toBe(160);
    }
  });

  it("an authority is notified of what another one committed", async () => {
    const schema = newSchema();
    const [left, right] = await Promise.all(
      [1, 2].map(() => openThread({ definition: board, log: open({ schema }), threadId: "a" })),
    );
    const heard: number[] = [];
    right?.onCommit(({ version }) => heard.push(version));
    for (const id of ["T-1", "T-2", "T-3"])
      await left?.dispatch(addCard(id), { id, actor: { kind: "user", id: "ada" } });
    await expect.poll(() => heard, soon).toEqual([1, 2, 3]);
    expect(right?.getState()).toEqual(left?.getState());
    await left?.close();
    await right?.close();
  });

  it("an authority follows a head that is announced while it catches up", async () => {
    const schema = newSchema();
    const store = open({ schema });
    const left = await openThread({ definition: board, log: open({ schema }), threadId: "t" });
    const answers: (() => void)[] = [];
    const announced: number[] = [];
    const log: Log = {
      ...store,
      // The read returns late.
      async read(...call) {
        const found = await store.read(...call);
        await new Promise<void>((resolve) => answers.push(resolve));
        return found;
      },
      watch: (threadId, onHead) =>
        store.watch(threadId, (head, incarnation) => {
          onHead(head, incarnation);
          announced.push(head);
        }),
    };
    const right = await openThread({ definition: board, log, threadId: "t" });
    await left.dispatch(addCard("one"), { actor: { kind: "user", id: "ada" } });
    await expect.poll(() => answers.length, soon).toBe(1);
    await left.dispatch(addCard("two"), { actor: { kind: "user", id: "ada" } });
    await expect.poll(() => announced.at(-1), soon).toBe(2);
    answers.shift()?.();
    await expect.poll(() => answers.length, soon).toBe(1);
    answers.shift()?.();
    await expect.poll(() => right.version, soon).toBe(2);
    await left.close();
    await right.close();
  });

  it("two authorities of one thread commit every operation once, whichever gets it", async () => {
    const schema = newSchema();
    const threads = await Promise.all(
      [1, 2].map(() => openThread({ definition: board, log: open({ schema }), threadId: "a" })),
    );
    const submit = async (node: number, id: string) => {
      const verdict = await threads[node]?.dispatch(addCard(id), { id, actor: { kind: "user", id: "ada" } });
      return verdict?.accepted === true ? verdict.version : undefined;
    };
    const versions = new Map<string, number | undefined>();
    for (let wave = 0; wave < 5; wave += 1) {
      // "both" is sent to both nodes at once, as by a client that tries again on another node.
      const [left, right] = await Promise.all([0, 1].map((node) => submit(node, `both-${wave}`)));
      expect(left).toBe(right);
      versions.set(`both-${wave}`, left);
      await Promise.all(
        [0, 1].flatMap((node) =>
          Array.from({ length: 6 }, async (_, index) => {
            const id = `${wave}-${index} by ${node}`;
            versions.set(id, await submit(node, id));
            if (index % 2 === 0) versions.set(`${id} later`, await submit(node, `${id} later`));
          }),
        ),
      );
    }
    const log = open({ schema });
    const commits = await log.read("a", { after: 0 });
    expect(commits.map(({ version }) => version)).toEqual(
      Array.from({ length: versions.size }, (_, index) => index + 1),
    );
    expect(new Map(commits.map(({ id, version }) => [id, version]))).toEqual(versions);
    const opened = await openThread({ definition: board, log, threadId: "a" });
    expect(opened.getState().columns[0]?.cards.map(({ cardId }) => cardId)).toEqual(commits.map(({ id }) => id));
    await Promise.all([...threads, opened].map((thread) => thread.close()));
  });

  it("a writer that is killed loses nothing that it acknowledged, and what it sends again has one effect", async () => {
    const schema = newSchema();
    const log = open({ schema });
    await log.create(newThread("a"));
    const acknowledged = new Map<string, number>();
    for (const round of [1, 2]) {
      const writer = await startWriter(schema, `round${round}`, 1_000_000);
      await expect.poll(() => writer.acknowledged.size, soon).toBeGreaterThan(40);
      writer.child.kill("SIGKILL");
      await writer.ended;
      for (const [id, version] of writer.acknowledged) acknowledged.set(id, version);
    }
    for (const [id, version] of acknowledged)
      expect((await log.read("a", { after: version - 1, limit: 1 }))[0]?.id).toBe(id);
    const head = (await log.info("a"))?.version ?? 0;
    expect(head).toBeGreaterThanOrEqual(acknowledged.size);
    const [id = "", version = 0] = [...acknowledged][0] ?? [];
    expect(await log.append("a", head, [entry(head + 1, id)])).toMatchObject({
      status: "duplicate",
      receipt: { id, outcome: { version } },
    });
    // A statement that a killed process had sent may still be stored after its end.
    const commits = await log.read("a", { after: 0 });
    expect(commits.map(({ version }) => version)).toEqual(
      Array.from({ length: commits.length }, (_, index) => index + 1),
    );
    expect(new Set(commits.map(({ id }) => id)).size).toBe(commits.length);
  });

  it.skipIf(!postgres?.crash)("a database that crashed has all that was acknowledged", async () => {
    const schema = newSchema();
    const log = open({ schema });
    await log.create(newThread("a"));
    const { heads } = follow(log, "a");
    for (let head = 0; head < 50; head += 1) await log.append("a", head, [entry(head + 1)]);
    const pending = Array.from({ length: 20 }, (_, index) => log.append("a", 50 + index, [entry(51 + index)]));
    postgres?.crash?.();
    await Promise.allSettled(pending);
    const commits = await log.read("a", { after: 0 });
    expect(commits.map(({ version }) => version)).toEqual(
      Array.from({ length: commits.length }, (_, index) => index + 1),
    );
    expect(commits.length).toBeGreaterThanOrEqual(50);
    // The doorbell reconnects by itself.
    const other = open({ schema });
    await writeTo(other, "a", (next) => [entry(next, "after the crash")]);
    await expect.poll(() => heads.at(-1), soon).toBe(commits.length + 1);
  });

  describe("watching a thread", () => {
    const far = 3_600_000;

    it("gives the head at first, then the commits of each node, by the doorbell alone", async () => {
      const schema = newSchema();
      const [one, two] = [open({ schema, pollInterval: far }), open({ schema, pollInterval: far })];
      await one.create(newThread("a"));
      await one.create(newThread("b"));
      await one.append("a", 0, [entry(1)]);
      const { heads } = follow(two, "a");
      await expect.poll(() => heads, soon).toEqual([1]);
      for (const head of [1, 2, 3]) {
        await one.append("a", head, [entry(head + 1)]);
        await one.append("b", head - 1, [entry(head)]);
        await expect.poll(() => heads.at(-1), soon).toBe(head + 1);
      }
      await two.append("a", 4, [entry(5)]);
      await expect.poll(() => heads.at(-1), soon).toBe(5);
      expect(heads).toEqual([1, 2, 3, 4, 5]);
    });

    it("finds commits by the poll when there is no doorbell", async () => {
      const schema = newSchema();
      const [one, two] = [open({ schema, doorbell: false }), open({ schema, doorbell: false, pollInterval: 50 })];
      const { heads, stop } = follow(two, "a");
      await one.create(newThread("a"));
      await expect.poll(() => heads, soon).toEqual([0]);
      await one.append("a", 0, [entry(1), entry(2)]);
      await expect.poll(() => heads, soon).toEqual([0, 2]);
      stop();
      await one.append("a", 2, [entry(3)]);
      const other = follow(two, "a");
      await expect.poll(() => other.heads, soon).toEqual([3]);
      expect(heads).toEqual([0, 2]);
    });

    it("catches up with notifications that it missed while its connection was cut", async () => {
      const schema = newSchema();
      const name = `${schema}_cut`;
      const fragile = new Pool({ ...postgres?.config, application_name: name });
      fragile.on("error", () => undefined);
      onTestFinished(() => fragile.end());
      const [one, two] = [open({ schema }), open({ schema, pool: fragile, pollInterval: far })];
      await one.create(newThread("a"));
      const { heads } = follow(two, "a");
      await expect.poll(() => heads, soon).toEqual([0]);
      for (let head = 0; head < 5; head += 1) {
        await pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [name]);
        await one.append("a", head, [entry(head + 1)]);
        await expect.poll(() => heads.at(-1), soon).toBe(head + 1);
      }
    });

    it("starts again with a thread that was deleted and created again", async () => {
      const schema = newSchema();
      const [one, two] = [open({ schema, doorbell: false }), open({ schema, doorbell: false, pollInterval: 20 })];
      await one.create(newThread("a"));
      await one.append("a", 0, [entry(1), entry(2)]);
      const first = (await one.info("a"))?.incarnation;
      const told: unknown[] = [];
      onTestFinished(two.watch("a", (...head) => told.push(head)));
      await expect.poll(() => told, soon).toEqual([[2, first]]);
      await one.delete("a");
      await expect
        .poll(() => told, soon)
        .toEqual([
          [2, first],
          [0, ""],
        ]);
      await one.create(newThread("a"));
      const second = (await one.info("a"))?.incarnation;
      await expect.poll(() => told.at(-1), soon).toEqual([0, second]);
      await one.append("a", 0, [entry(1)], second);
      await expect.poll(() => told.at(-1), soon).toEqual([1, second]);
      expect(told).toHaveLength(4);
    });

    it("notifies many threads of many nodes", async () => {
      const schema = newSchema();
      const [one, two] = [open({ schema, pollInterval: far }), open({ schema, pollInterval: far })];
      const threadIds = Array.from({ length: 300 }, (_, index) => `thread ${index}`);
      await Promise.all(threadIds.map((threadId) => one.create(newThread(threadId))));
      const followed = threadIds.map((threadId) => follow(two, threadId).heads);
      await expect.poll(() => followed.every((heads) => heads.at(-1) === 0), soon).toBe(true);
      await Promise.all(threadIds.map((threadId) => one.append(threadId, 0, [entry(1)])));
      await expect.poll(() => followed.every((heads) => heads.at(-1) === 1), soon).toBe(true);
    });
  });

  describe("threads on two nodes", () => {
    async function twoThreads() {
      const schema = newSchema();
      const [one, two] = await Promise.all(
        [1, 2].map(() => openThread({ definition: board, log: open({ schema }), threadId: "t" })),
      );
      if (one === undefined || two === undefined) throw new Error("two threads");
      onTestFinished(async () => void (await Promise.all([one.close(), two.close()])));
      return { schema, one, two };
    }

    const person = { kind: "user", id: "ada" };
    const other = { kind: "user", id: "bob" };
    const agent = { kind: "agent", id: "robot" };
    const cards = (thread: { getState(): { columns: readonly { cards: readonly { cardId: string }[] }[] } }) =>
      thread.getState().columns.flatMap((column) => column.cards.map(({ cardId }) => cardId));

    it("merge the same changes of a branch at the same time: one effect each, one verdict", async () => {
      const { one, two } = await twoThreads();
      for (let round = 0; round < 10; round += 1) {
        const branch = await one.branch(undefined, { id: `plan ${round}` });
        for (const card of ["a", "b", "c"]) await branch.dispatch(addCard(`${card}${round}`), { actor: agent });
        const same = await two.openBranch(`plan ${round}`);
        const before = one.version;
        const [mine, theirs] = await Promise.all([branch.merge({ actor: person }), same?.merge({ actor: other })]);
        expect(mine.map(({ verdict }) => verdict.accepted)).toEqual([true, true, true]);
        expect(theirs?.map(({ verdict }) => verdict)).toEqual(mine.map(({ verdict }) => verdict));
        await expect.poll(() => [one.version, two.version], soon).toEqual([before + 3, before + 3]);
        expect(await branch.merge({ actor: other })).toEqual(mine);
      }
      expect(cards(one)).toHaveLength(30);
      expect(new Set(cards(one)).size).toBe(30);
      expect(cards(two)).toEqual(cards(one));
    });

    it("undo the same at the same time: one effect, one verdict", async () => {
      const { schema, one, two } = await twoThreads();
      for (let round = 0; round < 10; round += 1) {
        await one.dispatch(addCard(`kept ${round}`), { actor: person });
        for (const card of ["x", "y"])
          await one.dispatch(addCard(`${card}${round}`), { actor: agent, runId: `run ${round}` });
        await expect.poll(() => two.version, soon).toBe(one.version);
        const before = one.version;
        // One undo that was sent to both nodes, and one by another actor.
        const options = { actor: person, id: `undo ${round}` };
        const [mine, same, theirs] = await Promise.all([
          one.undo({ runId: `run ${round}` }, options),
          two.undo({ runId: `run ${round}` }, options),
          two.undo({ runId: `run ${round}` }, { actor: other, id: `undo ${round}` }),
        ]);
        expect(mine.accepted && same.accepted && theirs.accepted).toBe(true);
        expect(same).toMatchObject({ version: mine.version });
        await expect.poll(() => [one.version, two.version], soon).toEqual([before + 1, before + 1]);
      }
      const expected = Array.from({ length: 10 }, (_, round) => `kept ${round}`);
      expect(cards(one)).toEqual(expected);
      expect(cards(two)).toEqual(expected);
      const third = await openThread({ definition: board, log: open({ schema }), threadId: "t" });
      expect(third.getState()).toEqual(one.getState());
      await third.close();
    });

    it("learn that another node deleted their thread, also when nothing is written", async () => {
      const schema = newSchema();
      const [one, two] = [open({ schema }), open({ schema, pollInterval: 20, doorbell: false })];
      const thread = await openThread({ definition: board, log: two, threadId: "t" });
      const reasons: unknown[] = [];
      thread.onClose((reason) => reasons.push(reason?.code));
      await thread.dispatch(addCard("c1"), { actor: person });
      await one.delete("t");
      await expect.poll(() => reasons, soon).toEqual(["replaced"]);
      await expect(thread.dispatch(addCard("c2"), { actor: person })).rejects.toMatchObject({ code: "replaced" });
      const again = await openThread({ definition: board, log: two, threadId: "t" });
      expect(await again.dispatch(addCard("c2"), { actor: person })).toMatchObject({ accepted: true, version: 1 });
      await again.close();
    });
  });
});
