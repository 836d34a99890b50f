// The Postgres log keeps the contract of every log, and what only a database can promise: one transaction per group, its own tables,
// clear errors, and no loss when connections break.

import { randomUUID } from "node:crypto";
import { logContract } from "@opstate/core/testing";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type PostgresLogOptions, postgresLog } from "../src/postgres/index.ts";
import { ada, entry, newThread } from "./support/entries.ts";
import { dropSchemas, startPostgres } from "./support/postgres.ts";

const postgres = startPostgres();
const pool = new Pool({ ...postgres?.config, max: 6 });
const schemas = new Set<string>();

function newSchema(): string {
  const schema = `opstate_test_${randomUUID().slice(0, 13).replace("-", "_")}`;
  schemas.add(schema);
  return schema;
}

function open(options: Partial<PostgresLogOptions> = {}) {
  const log = postgresLog({ pool, schema: newSchema(), ...options });
  onTestFinished(() => log.close());
  return log;
}

afterAll(async () => {
  if (postgres) await dropSchemas(pool, schemas);
  await pool.end();
  await postgres?.stop();
});

describe.skipIf(!postgres)("the Postgres log", { timeout: 20_000 }, () => {
  describe("the log contract", () => {
    const cases = logContract({
      async open(options) {
        const schema = newSchema();
        let log = open({ schema, ...options });
        return {
          log,
          async reopen() {
            await log.close();
            log = open({ schema, ...options });
            return log;
          },
          dispose: () => log.close(),
        };
      },
    });
    it.each(cases)("$name", ({ run }) => run());
  });

  describe("appends that wait together", () => {
    it("share one transaction on one thread", async () => {
      const schema = newSchema();
      const log = open({ schema });
      await log.create(newThread("a"));
      const results = await Promise.all(Array.from({ length: 20 }, (_, index) => log.append("a", index, [entry(index + 1)])));
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["appended"]));
      const { rows } = await pool.query(`SELECT DISTINCT xmin::text FROM "${schema}".commits`);
      expect(rows).toHaveLength(1);
    });

    it("fail alone: one that cannot be stored does not take the others along", async () => {
      const log = open();
      await Promise.all(["a", "b"].map((threadId) => log.create(newThread(threadId))));
      const results = await Promise.allSettled([
        log.append("a", 0, [entry(1)]),
        log.append("a", 1, [entry(2), entry(7)]),
        log.append("a", 1, [entry(2), entry(3, "c2")]),
        log.append("a", 1, [entry(2, "other")]),
        log.append("a", 2, [entry(3, "c1")]),
        log.append("nobody", 0, [entry(1)]),
        log.append("b", 0, [entry(1)]),
      ]);
      expect(
        results.map((result) => (result.status === "fulfilled" ? result.value.status : String(result.reason.message).split("\n")[0])),
      ).toEqual([
        "appended",
        "The commit with version 7 cannot follow version 2.",
        "An id of an actor stands twice in one append. Each submission gets one entry.",
        "appended",
        "duplicate",
        'The Postgres log has no thread "nobody".',
        "appended",
      ]);
      expect((await log.read("a", { after: 0 })).map(({ id }) => id)).toEqual(["c1", "other"]);
    });

    it("are settled by close, and later calls are refused", async () => {
      const schema = newSchema();
      const log = open({ schema });
      await log.create(newThread("a"));
      const queued = Array.from({ length: 1_500 }, (_, index) => log.append("a", index, [entry(index + 1)]));
      await log.close();
      await Promise.all(queued);
      await expect(log.append("a", 1_500, [entry(1_501)])).rejects.toMatchObject({ code: "closed" });
      await expect(log.info("a")).rejects.toMatchObject({ code: "closed" });
      expect((await open({ schema }).info("a"))?.version).toBe(1_500);
    });
  });

  it("keeps ids apart that Postgres text cannot hold", async () => {
    const log = open();
    const ids = ["\u0000", "\\u0000", "\ud800", "\udfff", "\ufffd", '"', '\\"', "\n"];
    for (const [index, id] of ids.entries()) {
      expect(await log.create({ ...newThread(id), state: { index } })).toBe(true);
      expect(await log.append("\u0000", index, [entry(index + 1, id)])).toEqual({ status: "appended" });
    }
    for (const [index, id] of ids.entries()) {
      expect((await log.load(id))?.snapshot.state).toEqual({ index });
      expect(await log.receipt("\u0000", ada, id)).toMatchObject({ id, outcome: { version: index + 1 } });
    }
    expect((await log.list()).map(({ threadId }) => threadId)).toEqual(ids);
  });

  it("gives a thread that is made again another incarnation, the same on every node", async () => {
    const schema = newSchema();
    const [one, two] = [open({ schema }), open({ schema })];
    await one.create(newThread("a"));
    const first = await one.info("a");
    expect(await two.info("a")).toEqual(first);
    expect((await two.load("a"))?.info).toEqual(first);
    await two.delete("a");
    await two.create(newThread("a"));
    const second = await one.info("a");
    expect(second?.incarnation).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.incarnation).not.toBe(first?.incarnation);
  });

  describe("its tables", () => {
    it("are made once by nodes that start together", async () => {
      const schema = newSchema();
      const logs = Array.from({ length: 5 }, () => open({ schema }));
      const created = await Promise.all(logs.map((log) => log.create(newThread("a"))));
      expect(created.filter(Boolean)).toHaveLength(1);
    });

    it("are left alone when a newer release made them", async () => {
      const schema = newSchema();
      await open({ schema }).list();
      await pool.query(`UPDATE "${schema}".schema_version SET version = 99`);
      const log = open({ schema });
      await expect(log.list()).rejects.toMatchObject({ code: "log_unavailable" });
      await expect(log.append("a", 0, [entry(1)])).rejects.toThrow(
        "has schema version 99; this release of @opstate/server knows versions up to 1",
      );
      const { rows } = await pool.query(`SELECT version FROM "${schema}".schema_version`);
      expect(rows).toEqual([{ version: 99 }]);
    });

    it("are not put among another program's", async () => {
      const schema = newSchema();
      await pool.query(`CREATE SCHEMA "${schema}"; CREATE TABLE "${schema}".recipes (name text)`);
      await expect(open({ schema }).list()).rejects.toThrow("belongs to another program");
    });

    it("are in a schema of a plain name", () => {
      expect(() => postgresLog({ pool, schema: 'x"; DROP SCHEMA public' })).toThrow("cannot be the Postgres schema of a log");
    });
  });

  it("refuses a database that acknowledges before it is durable", async () => {
    const careless = new Pool({ ...postgres?.config, options: "-c synchronous_commit=off" });
    await expect(open({ pool: careless }).list()).rejects.toThrow("synchronous_commit = off");
    await careless.end();
  });

  it("says clearly that it may not write to the database", async () => {
    const readOnly = new Pool({ ...postgres?.config, options: "-c default_transaction_read_only=on" });
    onTestFinished(() => readOnly.end());
    const create = open({ pool: readOnly }).create(newThread("a"));
    await expect(create).rejects.toMatchObject({ code: "log_unavailable", message: expect.stringContaining("read-only transaction") });
  });

  it("works in a database whose transactions are serializable", async () => {
    const strict = new Pool({ ...postgres?.config, options: "-c default_transaction_isolation=serializable" });
    const schema = newSchema();
    const [one, two] = [open({ pool: strict, schema }), open({ pool: strict, schema })];
    await one.create(newThread("a"));
    for (let head = 0; head < 20; head += 1) {
      const results = await Promise.all([one, two].map((log, index) => log.append("a", head, [entry(head + 1, `${head} by ${index}`)])));
      expect(results.map(({ status }) => status).toSorted()).toEqual(["appended", "stale"]);
    }
    await Promise.all([one.close(), two.close()]);
    await strict.end();
  });

  it("goes on, with one effect for each id, when its connections are cut", async () => {
    const schema = newSchema();
    const name = `${schema}_cut`;
    const fragile = new Pool({ ...postgres?.config, application_name: name });
    const log = open({ pool: fragile, schema });
    await log.create(newThread("a"));
    let head = 0;
    let cuts = 0;
    while (head < 200) {
      const appended = log.append("a", head, [entry(head + 1)]);
      if (head % 20 === 10) {
        const { rowCount } = await pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [name]);
        cuts += rowCount ?? 0;
      }
      const result = await appended;
      // A commit whose answer was lost is found again under its id.
      expect(result.status === "appended" || (result.status === "duplicate" && result.receipt.id === `c${head + 1}`)).toBe(true);
      head += 1;
    }
    expect(cuts).toBeGreaterThan(5);
    expect((await log.read("a", { after: 0 })).map(({ version, id }) => [version, id])).toEqual(
      Array.from({ length: 200 }, (_, index) => [index + 1, `c${index + 1}`]),
    );
    await log.close();
    await fragile.end();
  });

  it("says clearly that the database cannot be reached", async () => {
    const nowhere = new Pool({ host: "127.0.0.1", port: 1, user: "nobody" });
    const log = open({ pool: nowhere });
    const append = log.append("a", 0, [entry(1)]);
    await expect(append).rejects.toMatchObject({ code: "log_unavailable", message: expect.stringContaining("cannot be reached") });
    await log.close();
    await nowhere.end();
  });
});
