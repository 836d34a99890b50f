// A thread is deleted with its branches: when a deletion fails on the way and is sent again, and
// when another server makes branches at the same time.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, memoryLog } from "@opstate/core";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { postgresLog } from "../../src/postgres/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { addCard, board } from "../support/board.ts";
import { as, branchOf, owners } from "../support/rights/owners.ts";
import { dropSchemas, startPostgres } from "../support/postgres.ts";
import { send, start } from "../support/server.ts";

const secret = "SECRET";

/** Ada's thread with two branches, one of which has a branch. */
async function startWithTree(log: Log) {
  const names = owners();
  names.give("launch", "ada");
  const { url, errors } = await start({ log, authorize: names.authorize });
  const thread = `${url}/threads/launch`;
  const ask = (user: string, method: string, path = "", body?: unknown) => send(thread + path, method, body, as(user));
  await ask("ada", "PUT", "", { definition: "board" });
  await ask("ada", "POST", "/operations", addCard("c0", secret));
  for (const name of ["a", "b"]) await ask("ada", "POST", "/branches", { name });
  await branchOf(log, "launch~b", "launch~b~c");
  return { names, errors, ask };
}

describe("a deletion that fails on the way", () => {
  const all = ["launch", "launch~a", "launch~b", "launch~b~c"];

  it.each([1, 2, 3, 4])(
    "at step %i leaves the rest under the rights of its owner, and is finished by the next one",
    async (step) => {
      const log = memoryLog();
      let deletions = 0;
      const failing: Log = {
        ...log,
        async delete(threadId, incarnation) {
          deletions += 1;
          if (deletions === step) throw new Error("the disk is full");
          return log.delete(threadId, incarnation);
        },
      };
      const { ask, names, errors } = await startWithTree(failing);
      expect(await ask("ada", "DELETE")).toMatchObject({ status: 500 });
      expect(String(errors)).toContain("the disk is full");
      // The root is deleted last.
      expect(await ask("ada", "GET")).toMatchObject({ status: 200, body: { version: 1 } });
      for (const id of all) expect((await ask("eve", "GET", id.slice("launch".length))).status).not.toBe(200);
      expect(await ask("ada", "DELETE")).toMatchObject({ status: 204 });
      expect(await log.list()).toEqual([]);
      names.give("launch", "eve");
      expect(await ask("eve", "PUT", "", { definition: "board" })).toMatchObject({ status: 201 });
      for (const id of all.slice(1)) expect((await ask("eve", "GET", id.slice("launch".length))).status).toBe(403);
    },
  );
});

describe("branches that an earlier deletion left", () => {
  /** As if the process had ended between two steps. */
  async function startWithLeft(log: Log = memoryLog()) {
    const running = await startWithTree(log);
    await log.delete("launch");
    return { ...running, log };
  }

  it("are deleted when the thread is deleted once more", async () => {
    const { ask, log } = await startWithLeft();
    expect(await ask("ada", "DELETE")).toMatchObject({ status: 404, body: { code: "unknown_thread" } });
    expect(await log.list()).toEqual([]);
  });

  it("are deleted when another thread gets the name, whose own branches stay", async () => {
    const { ask, log, names } = await startWithLeft();
    names.give("launch", "eve");
    expect(await ask("eve", "PUT", "", { definition: "board" })).toMatchObject({ status: 201 });
    expect((await log.list()).map(({ threadId }) => threadId)).toEqual(["launch"]);
    await ask("eve", "POST", "/branches", { name: "b" });
    expect(await ask("eve", "PUT", "", { definition: "board" })).toMatchObject({ status: 200 });
    expect((await log.list()).map(({ threadId }) => threadId)).toEqual(["launch", "launch~b"]);
  });

  it("are orphans and block nothing when they cannot be deleted", async () => {
    const log = memoryLog();
    const stuck: Log = {
      ...log,
      delete: (id, of) => (id.includes("~") ? Promise.reject(new Error("the disk is full")) : log.delete(id, of)),
    };
    const { ask, names, errors } = await startWithLeft(stuck);
    names.give("launch", "eve");
    expect(await ask("eve", "PUT", "", { definition: "board" })).toMatchObject({ status: 201, body: { version: 0 } });
    expect(String(errors)).toContain("the disk is full");
    expect(await ask("eve", "GET", "~a")).toMatchObject({ status: 403 });
    expect(await ask("eve", "GET", "/branches")).toMatchObject({ body: [] });
  });
});

describe("a branch", () => {
  it("of a thread that was deleted during its creation is deleted as well", async () => {
    const log = memoryLog();
    const late: Log = {
      ...log,
      async create(thread) {
        if (thread.parent) await log.delete(thread.parent.threadId);
        return log.create(thread);
      },
    };
    const names = owners();
    names.give("launch", "ada");
    const { url } = await start({ log: late, authorize: names.authorize });
    await send(`${url}/threads/launch`, "PUT", { definition: "board" }, as("ada"));
    expect(await send(`${url}/threads/launch/branches`, "POST", { name: "b" }, as("ada"))).toMatchObject({
      status: 503,
    });
    expect(await log.list()).toEqual([]);
  });

  it("that is discarded is not a later one with the same name", async () => {
    const log = memoryLog();
    let between = async () => {};
    const slow: Log = {
      ...log,
      async delete(threadId, incarnation) {
        await between();
        return log.delete(threadId, incarnation);
      },
    };
    const names = owners();
    names.give("launch", "ada");
    const { url } = await start({ log: slow, authorize: names.authorize });
    const thread = `${url}/threads/launch`;
    await send(thread, "PUT", { definition: "board" }, as("ada"));
    await send(`${thread}/branches`, "POST", { name: "b" }, as("ada"));
    between = async () => {
      await log.delete("launch~b");
      await log.create({
        threadId: "launch~b",
        definition: "board",
        definitionVersion: 1,
        state: board.initial,
        at: "",
      });
    };
    await send(`${thread}/branches/launch~b`, "DELETE", undefined, as("ada"));
    expect(await log.info("launch~b")).toMatchObject({ version: 0 });
  });
});

const postgres = startPostgres();
const pool = new Pool({ ...postgres?.config, max: 8 });
const schema = `opstate_test_${randomUUID().slice(0, 8)}`;
afterAll(async () => {
  if (postgres) await dropSchemas(pool, [schema]);
  await pool.end();
  await postgres?.stop();
});

/** Each opens a log as two processes do. */
const logs: Record<string, () => readonly [Log, Log]> = {
  memory() {
    const log = memoryLog();
    return [log, log];
  },
  "one SQLite file"() {
    const folder = mkdtempSync(join(tmpdir(), "opstate-tree-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "log.sqlite");
    return [sqliteLog({ path }), sqliteLog({ path })];
  },
  Postgres: () => [postgresLog({ pool, schema }), postgresLog({ pool, schema })],
};

describe.each(Object.entries(logs))("two servers on %s", (kind, open) => {
  it.skipIf(kind === "Postgres" && !postgres)(
    "leave no branch behind when one deletes the thread that the other branches",
    { timeout: 120_000 },
    async () => {
      const [log, other] = open();
      onTestFinished(async () => {
        await log.close();
        await other.close();
      });
      const names = owners();
      const [here, there] = [
        await start({ log, authorize: names.authorize }),
        await start({ log: other, authorize: names.authorize }),
      ];
      let made = 0;
      let left = 0;
      let readable = 0;
      for (let round = 0; round < 30; round += 1) {
        const id = `launch${round}`;
        const ask = ({ url }: { readonly url: string }, user: string, method: string, path = "", body?: unknown) =>
          send(`${url}/threads/${id}${path}`, method, body, as(user));
        names.give(id, "ada");
        await ask(here, "ada", "PUT", "", { definition: "board" });
        await ask(here, "ada", "POST", "/operations", addCard("c0", secret));
        expect((await ask(there, "ada", "GET")).status).toBe(200);
        const turns = async (count: number) => {
          for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
        };
        const branching = ["a", "b", "c", "d", "e"].map(async (name, index) => {
          await turns(index * 2);
          return ask(here, "ada", "POST", "/branches", { name });
        });
        await turns(round % 10);
        const deleted = await ask(there, "ada", "DELETE");
        expect(deleted.status).toBe(204);
        made += (await Promise.all(branching)).filter(({ status }) => status === 201).length;
        left += (await log.list({ parent: id })).length;
        names.give(id, "eve");
        if (round % 2 === 0) expect((await ask(there, "eve", "PUT", "", { definition: "board" })).status).toBe(201);
        for (const server of [here, there])
          for (const name of ["a", "b", "c", "d", "e"])
            for (const path of [`~${name}`, `~${name}/history`]) {
              const { status, body } = await ask(server, "eve", "GET", path);
              if (status === 200 || JSON.stringify(body).includes(secret)) readable += 1;
            }
      }
      expect({ left, readable }).toEqual({ left: 0, readable: 0 });
      // Otherwise there was no race.
      expect(made).toBeGreaterThan(0);
    },
  );
});
