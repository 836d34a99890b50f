// The Postgres log keeps the log contract, and what is special to a database: one transaction per
// group, its own tables, clear errors, no loss when connections break.

import { randomUUID } from "node:crypto";
import type { Log } from "@opstate/core";
import { logContract } from "@opstate/core/testing";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type PostgresLogOptions, postgresLog } from "../../src/postgres/index.ts";
import { readStatement } from "../../src/postgres/read-commits.ts";
import { STEPS } from "../../src/postgres/schema.ts";
import { escapeId } from "../../src/postgres/stored-id.ts";
import { statementsFor } from "../../src/postgres/statements.ts";
import { authoredCommits, authoredVersions, byAuthor } from "../support/authored.ts";
import { ada, entry, mixedEntry, newThread, snapshotOf } from "../support/entries.ts";
import { dropSchemas, startPostgres } from "../support/postgres.ts";

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

describe.skipIf(!postgres)("the Postgres log", { timeout: 240_000 }, () => {
  describe("the log contract", () => {
    const cases = logContract({
      async open(options) {
        const schema = newSchema();
        let log = open({ schema, ...options });
        return {
          log,
          beside: async () => open({ schema, ...options }),
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

  describe("appends in one group", () => {
    it("share one transaction on one thread", async () => {
      const schema = newSchema();
      const log = open({ schema });
      await log.create(newThread("a"));
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => log.append("a", index, [entry(index + 1)])),
      );
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["appended"]));
      const { rows } = await pool.query(`SELECT DISTINCT xmin::text FROM "${schema}".commits`);
      expect(rows).toHaveLength(1);
    });

    it("fail alone: one that cannot be stored does not fail the others", async () => {
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
        results.map((result) =>
          result.status === "fulfilled" ? result.value.status : String(result.reason.message).split("\n")[0],
        ),
      ).toEqual([
        "appended",
        "The commit with version 7 cannot follow version 2.",
        "One append has two entries with the same actor and id. Each submission gets one entry.",
        "appended",
        "duplicate",
        'The Postgres log has no thread "nobody".',
        "appended",
      ]);
      expect((await log.read("a", { after: 0 })).map(({ id }) => id)).toEqual(["c1", "other"]);
    });

    it("are finished by close, and later calls are refused", async () => {
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

  it("distinguishes ids that Postgres cannot store as text", async () => {
    const log = open();
    const ids = ["\u0000", "\\u0000", "\\ud800", "\ufffd", "\ud83d\udc4d", '"', '\\"', "\n"];
    for (const [index, id] of ids.entries()) {
      expect(await log.create({ ...newThread(id), state: { index } })).toBe(true);
      expect(await log.append("\u0000", index, [entry(index + 1, id)])).toEqual({ status: "appended" });
    }
    for (const [index, id] of ids.entries()) {
      expect((await log.load(id))?.snapshot.state).toEqual({ index });
      expect(await log.receipt("\u0000", ada, id)).toMatchObject({ id, outcome: { version: index + 1 } });
    }
    expect((await log.list()).map(({ threadId }) => threadId)).toEqual(ids);
    for (const half of ["\ud800", "\udfff"]) {
      await expect(log.create(newThread(half))).rejects.toMatchObject({ code: "invalid_id" });
      await expect(log.append("\u0000", ids.length, [entry(ids.length + 1, half)])).rejects.toMatchObject({
        code: "invalid_id",
      });
    }
  });

  it("gives a thread that is created again another incarnation, the same on every node", async () => {
    const schema = newSchema();
    const [one, two] = [open({ schema }), open({ schema })];
    await one.create(newThread("a"));
    const first = await one.info("a");
    expect(await two.info("a")).toEqual(first);
    expect((await two.load("a"))?.info).toEqual(first);
    await two.delete("a");
    await two.create(newThread("a"));
    const second = await one.info("a");
    expect(second?.incarnation).toMatch(/^[0-9a-f-]{32,36}$/);
    expect(second?.incarnation).not.toBe(first?.incarnation);
  });

  describe("its tables", () => {
    it("are created once by nodes that start together", async () => {
      const schema = newSchema();
      const logs = Array.from({ length: 5 }, () => open({ schema }));
      const created = await Promise.all(logs.map((log) => log.create(newThread("a"))));
      expect(created.filter(Boolean)).toHaveLength(1);
    });

    it("are left unchanged when a newer release created them", async () => {
      const schema = newSchema();
      await open({ schema }).list();
      await pool.query(`UPDATE "${schema}".schema_version SET version = 99`);
      const log = open({ schema });
      await expect(log.list()).rejects.toMatchObject({ code: "log_unavailable" });
      await expect(log.append("a", 0, [entry(1)])).rejects.toThrow(
        `has schema version 99; this release of @opstate/server knows versions up to ${STEPS.length}`,
      );
      const { rows } = await pool.query(`SELECT version FROM "${schema}".schema_version`);
      expect(rows).toEqual([{ version: 99 }]);
    });

    it("are not created among the tables of another program", async () => {
      const schema = newSchema();
      await pool.query(`CREATE SCHEMA "${schema}"; CREATE TABLE "${schema}".recipes (name text)`);
      await expect(open({ schema }).list()).rejects.toThrow("belongs to another program");
    });

    it("are in a schema whose name is lowercase letters, digits and underscores", () => {
      expect(() => postgresLog({ pool, schema: 'x"; DROP SCHEMA public' })).toThrow(
        "cannot be the Postgres schema of a log",
      );
    });
  });

  it("brings tables of an older release up to date, by one of the nodes that start together", async () => {
    const schema = newSchema();
    const entries = Array.from({ length: 1_234 }, (_, index) => mixedEntry(index + 1));
    const client = await pool.connect();
    await client.query(`CREATE SCHEMA "${schema}"; SET search_path = "${schema}"; ${String(STEPS[0])}`);
    await client.query("CREATE TABLE schema_version (version integer NOT NULL); INSERT INTO schema_version VALUES (1)");
    await client.query(
      "INSERT INTO threads (thread_id, definition, version, created_at) VALUES ('a', 'counter', 1234, '')",
    );
    await client.query("INSERT INTO snapshots VALUES (1, 0, 1, $1)", [JSON.stringify({ count: 0 })]);
    const documents = entries.map(({ commit }) => JSON.stringify({ ...commit, note: "\u0000\ud800" }));
    await client.query("INSERT INTO commits SELECT 1, v, d FROM unnest($1::bigint[], $2::text[]) AS e (v, d)", [
      entries.map(({ commit }) => commit?.version),
      documents,
    ]);
    await client.query(
      "INSERT INTO receipts (thread, actor_kind, actor_id, id, hash, version) VALUES (1, 'user', 'ada', 'c2', 'h', 2)",
    );
    await client.query("RESET search_path");
    client.release();
    const logs = [1, 2, 3].map(() => open({ schema }));
    const infos = await Promise.all(logs.map((log) => log.info("a")));
    expect(infos).toEqual(Array.from({ length: 3 }, () => ({ ...infos[0], threadId: "a", version: 1_234, floor: 0 })));
    const [log] = logs;
    const versions = async (range: Parameters<Log["read"]>[1]) =>
      (await log?.read("a", range))?.map(({ version }) => version);
    expect(await versions({})).toHaveLength(1_234);
    expect(await versions({ runId: "run 1", before: 40 })).toEqual([5, 15, 25, 35]);
    expect(await versions({ actor: { kind: "agent", id: "robot" }, after: 1_225 })).toEqual([1227, 1230, 1233]);
    expect(await versions({ types: ["$propose"], order: "descending", limit: 3 })).toEqual([1200, 1100, 1000]);
    expect(await log?.append("a", 1_234, [entry(2)])).toMatchObject({ status: "duplicate" });
    expect(await log?.append("a", 1_234, [entry(1_235)])).toEqual({ status: "appended" });
    expect(await log?.compact("a", snapshotOf(1_230))).toBe(1_230);
    expect(await versions({})).toEqual([1231, 1232, 1233, 1234, 1235]);
    // A running node of the older release cannot write a commit that no search would find.
    const older = pool.query(`INSERT INTO "${schema}".commits (thread, version, document) VALUES (1, 1236, '{}')`);
    await expect(older).rejects.toThrow("violates not-null constraint");
  });

  it("finds commits by their author that an older release stored under who approved or merged them", async () => {
    const schema = newSchema();
    const client = await pool.connect();
    // The steps in code fill existing rows; there are none yet.
    const older = STEPS.slice(0, -6).filter((step) => typeof step === "string");
    await client.query(`CREATE SCHEMA "${schema}"; SET search_path = "${schema}"; ${older.join(";")}`);
    await client.query("CREATE TABLE schema_version (version integer NOT NULL)");
    await client.query("INSERT INTO schema_version VALUES ($1)", [STEPS.length - 6]);
    await client.query(
      "INSERT INTO threads (thread_id, definition, version, created_at) VALUES ('t', 'counter', $1, '')",
      [authoredCommits.length],
    );
    for (const commit of authoredCommits) {
      const { version, runId, actor, operation } = commit;
      const values = [
        version,
        JSON.stringify(commit),
        runId === undefined ? null : escapeId(runId),
        actor.kind,
        actor.id,
        operation.type,
      ];
      await client.query("INSERT INTO commits VALUES (1, $1, $2, $3, $4, $5, $6)", values);
    }
    await client.query("RESET search_path");
    client.release();
    const [log] = [1, 2].map(() => open({ schema }));
    await log?.info("t");
    expect(await authoredVersions(log!, "t")).toEqual(byAuthor);
    // A running node of the older release stores no commit that would be found by the wrong
    // actor.
    const old = pool.query(
      `INSERT INTO "${schema}".commits (thread, version, document, run_id, actor_kind, actor_id, type) VALUES (1, 99, '', '', '', '', 't')`,
    );
    await expect(old).rejects.toThrow('column "actor_kind"');
  });

  it("finds the branches in tables of a release without an index for them", async () => {
    const schema = newSchema();
    const client = await pool.connect();
    // The steps in code fill existing rows; there are none yet.
    const older = STEPS.slice(0, 4).filter((step) => typeof step === "string");
    await client.query(`CREATE SCHEMA "${schema}"; SET search_path = "${schema}"; ${older.join(";")}`);
    await client.query("CREATE TABLE schema_version (version integer NOT NULL); INSERT INTO schema_version VALUES (4)");
    const parent = JSON.stringify({ threadId: "a\u0000b", version: 0, incarnation: "i" });
    await client.query(
      "INSERT INTO threads (thread_id, definition, created_at, parent) VALUES ('t', 'c', '', NULL), ('b', 'c', '', $1)",
      [parent],
    );
    await client.query("RESET search_path");
    client.release();
    const log = open({ schema });
    expect((await log.list({ parent: "a\u0000b" })).map(({ threadId }) => threadId)).toEqual(["b"]);
    expect((await log.list({ parent: null })).map(({ threadId }) => threadId)).toEqual(["t"]);
    const old = pool.query(
      `INSERT INTO "${schema}".threads (thread_id, definition, created_at, parent) VALUES ('c', 'c', '', '{}')`,
    );
    await expect(old).rejects.toThrow("branches_are_complete");
  });

  describe("reading", () => {
    it("uses an index for every filter, and sorts no history", async () => {
      const schema = newSchema();
      const log = open({ schema });
      await log.create(newThread("a"));
      await log.append(
        "a",
        0,
        Array.from({ length: 5_000 }, (_, index) => mixedEntry(index + 1)),
      );
      await pool.query(`ANALYZE "${schema}".commits`);
      const sql = statementsFor(schema);
      const robot = { kind: "agent", id: "robot" };
      for (const [filter, index] of [
        [{}, /commits_pkey/],
        [{ runId: "run 1" }, /commits_by_run/],
        [{ runId: "run 1", actor: robot, types: ["add"] }, /commits_by_(run|actor)/],
        [{ types: ["$propose", "$approve"] }, /commits_by_type/],
        [{ types: ["$propose"], actor: robot }, /commits_by_(type|actor)/],
        [{ actor: robot }, /commits_by_actor/],
      ] as const) {
        for (const order of ["ascending", "descending"] as const) {
          const { statement, values } = readStatement(
            sql,
            "a",
            { after: 0, before: Number.MAX_SAFE_INTEGER, bytes: Infinity, ...filter, order, limit: 64 },
            undefined,
          );
          const { rows } = await pool.query<Record<string, string>>(`EXPLAIN ${statement.text}`, [...values]);
          const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
          expect(plan).toMatch(index);
          expect(plan).not.toContain("Seq Scan on commits");
          // Only the few commits found by several types are sorted.
          if (!("types" in filter) || "runId" in filter) expect(plan).not.toContain("Sort");
        }
      }
    });
  });

  describe("compaction", () => {
    async function long(schema: string, count: number) {
      const log = open({ schema });
      await log.create(newThread("a"));
      await log.append(
        "a",
        0,
        Array.from({ length: count }, (_, index) => entry(index + 1)),
      );
      for (const version of [100, 200, 300]) await log.saveSnapshot("a", snapshotOf(version));
      return log;
    }

    async function stored(schema: string) {
      const count = async (table: string) =>
        Number((await pool.query(`SELECT count(*) FROM "${schema}".${table}`)).rows[0].count);
      return {
        commits: await count("commits"),
        snapshots: await count("snapshots"),
        receipts: await count("receipts"),
      };
    }

    it("deletes commits and older snapshots in slices, and leaves the receipts", async () => {
      const schema = newSchema();
      const log = await long(schema, 25_000);
      expect(await log.compact("a", snapshotOf(24_900))).toBe(24_900);
      expect(await stored(schema)).toEqual({ commits: 100, snapshots: 1, receipts: 25_000 });
    });

    it("deletes nothing when its snapshot cannot be stored", async () => {
      const schema = newSchema();
      const log = await long(schema, 1_000);
      await pool.query(`ALTER TABLE "${schema}".snapshots ADD CONSTRAINT full_up CHECK (version < 900)`);
      await expect(log.compact("a", snapshotOf(900))).rejects.toThrow("full_up");
      expect(await stored(schema)).toEqual({ commits: 1_000, snapshots: 4, receipts: 1_000 });
      expect(await log.info("a")).toMatchObject({ floor: 0, version: 1_000 });
      await pool.query(`ALTER TABLE "${schema}".snapshots DROP CONSTRAINT full_up`);
      expect(await log.compact("a", snapshotOf(900))).toBe(900);
    });

    it("is done once its floor is stored: what a stopped node left is not visible, and the next compaction deletes it", async () => {
      const schema = newSchema();
      const log = await long(schema, 1_000);
      const other = open({ schema });
      // Commits that another transaction has locked cannot be deleted now.
      const holder = await pool.connect();
      onTestFinished(() => holder.release(true));
      await holder.query(`BEGIN; SELECT 1 FROM "${schema}".commits WHERE version = 500 FOR UPDATE`);
      const compaction = log.compact("a", snapshotOf(990));
      await expect.poll(async () => (await other.info("a"))?.floor, { interval: 5, timeout: 60_000 }).toBe(990);
      expect((await other.read("a", {})).map(({ version }) => version)[0]).toBe(991);
      expect((await other.read("a", { actor: ada, order: "descending" })).length).toBe(10);
      expect(await other.snapshotAt("a", 300)).toBeUndefined();
      expect(await other.append("a", 1_000, [entry(1_001)])).toEqual({ status: "appended" });
      await pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()",
        [`DELETE FROM "${schema}".commits%`],
      );
      const closed = log.close();
      await holder.query("ROLLBACK");
      expect(await compaction).toBe(990);
      await closed;
      expect(await other.compact("a", snapshotOf(990))).toBe(990);
      expect(await stored(schema)).toEqual({ commits: 11, snapshots: 1, receipts: 1_001 });
    });
  });

  describe("deletion", () => {
    /** Of a deleted thread its incarnation alone stays. */
    async function rows(schema: string): Promise<number> {
      const tables = [
        "threads WHERE NOT (swept AND definition || created_at = '' AND parent IS NULL)",
        ...["commits", "snapshots", "receipts"],
      ];
      const counts = await Promise.all(tables.map((table) => pool.query(`SELECT count(*) FROM "${schema}".${table}`)));
      return counts.reduce((sum, result) => sum + Number(result.rows[0].count), 0);
    }

    it("is done at once, waits for no other transaction, and leaves no rows in the end", async () => {
      const schema = newSchema();
      const log = open({ schema });
      await log.create(newThread("a"));
      await log.append(
        "a",
        0,
        Array.from({ length: 25_000 }, (_, index) => entry(index + 1)),
      );
      // Commits that another transaction has locked cannot be deleted now.
      const holder = await pool.connect();
      onTestFinished(() => holder.release(true));
      await holder.query(`BEGIN; SELECT 1 FROM "${schema}".commits WHERE version = 500 FOR UPDATE`);
      expect(await log.delete("a")).toBe(true);
      expect(await log.delete("a")).toBe(false);
      expect(await log.list()).toEqual([]);
      expect(await log.create(newThread("a"))).toBe(true);
      expect(await log.append("a", 0, [entry(1)])).toEqual({ status: "appended" });
      expect(await rows(schema)).toBeGreaterThan(50_000);
      await holder.query("ROLLBACK");
      await expect.poll(() => rows(schema), { timeout: 60_000 }).toBe(4);
    });

    it("is finished by the next deletion when a node stopped in the middle", async () => {
      const schema = newSchema();
      const [log, other] = [open({ schema }), open({ schema })];
      for (const name of ["a", "b"]) await log.create(newThread(name));
      await log.append("a", 0, [entry(1)]);
      const holder = await pool.connect();
      onTestFinished(() => holder.release(true));
      await holder.query(`BEGIN; SELECT 1 FROM "${schema}".snapshots FOR UPDATE`);
      expect(await log.delete("a")).toBe(true);
      const closed = log.close();
      await pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()",
        [`DELETE FROM "${schema}".%`],
      );
      await holder.query("ROLLBACK");
      await closed;
      expect(await other.delete("b")).toBe(true);
      await expect.poll(() => rows(schema), { timeout: 60_000 }).toBe(0);
    });

    it("finds branches by an index", async () => {
      const schema = newSchema();
      const log = open({ schema });
      await log.create(newThread("t"));
      await pool.query(
        `INSERT INTO "${schema}".threads (thread_id, definition, created_at, parent, parent_id, parent_incarnation)
         SELECT 'n' || n, 'counter', '', '{}', 'p' || n % 1000, '' FROM generate_series(1, 20000) AS n`,
      );
      await pool.query(`ANALYZE "${schema}".threads`);
      const { rows: lines } = await pool.query<Record<string, string>>(
        `EXPLAIN ${statementsFor(schema).pageBranches.text}`,
        [0, 100, "p7"],
      );
      expect(lines.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(/threads_by_parent/);
    });
  });

  describe("a call's time", () => {
    /** Another transaction has the thread's row: appends and deletions wait for it. */
    async function held(schema: string) {
      const client = await pool.connect();
      await client.query("BEGIN");
      await client.query(`SELECT FROM "${schema}".threads FOR UPDATE`);
      return async () => {
        await client.query("ROLLBACK");
        client.release();
      };
    }

    async function waiting(schema: string): Promise<number> {
      const { rows } = await pool.query(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1",
        [`%"${schema}"%`],
      );
      return Number(rows[0].count);
    }

    it("ends at its deadline: the statement is cancelled, and later calls go on", async () => {
      const schema = newSchema();
      const log = open({ schema });
      await log.create(newThread("a"));
      const release = await held(schema);
      const thread = log.thread("a");
      const deadline = Date.now() + 400;
      await expect(thread.delete({}, { deadline })).rejects.toMatchObject({ code: "timed_out" });
      await expect.poll(() => waiting(schema), { timeout: 60_000 }).toBe(0);
      const abort = new AbortController();
      const deleted = thread.delete({}, { signal: abort.signal });
      await expect.poll(() => waiting(schema), { timeout: 60_000 }).toBe(1);
      abort.abort();
      await expect(deleted).rejects.toMatchObject({ code: "aborted" });
      await expect.poll(() => waiting(schema), { timeout: 60_000 }).toBe(0);
      await release();
      expect(await thread.info()).toMatchObject({ version: 0 });
      expect(await thread.append({ version: 0 }, [entry(1)])).toEqual({ status: "appended" });
    });

    it("ends for every append of a queue when the database hangs, each has one effect when it is sent again", async () => {
      const schema = newSchema();
      const log = open({ schema });
      await log.create(newThread("a"));
      const release = await held(schema);
      const hurried = open({ schema, callTimeout: 500 });
      const appends = [1, 2, 3].map((version) => hurried.append("a", version - 1, [entry(version)]));
      await Promise.resolve();
      const late = hurried.thread("a").append({ version: 3 }, [entry(4)], { deadline: Date.now() + 50 });
      for (const outcome of await Promise.allSettled([...appends, late]))
        expect(outcome).toMatchObject({ status: "rejected", reason: { code: "timed_out" } });
      await release();
      for (const version of [1, 2, 3]) {
        const { status } = await log.append("a", version - 1, [entry(version)]);
        expect(["appended", "duplicate"]).toContain(status);
      }
      expect(await log.append("a", 3, [entry(4)])).toEqual({ status: "appended" });
      expect((await log.read("a", {})).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    });
  });

  it("refuses a database that acknowledges before it is durable", async () => {
    const careless = new Pool({ ...postgres?.config, options: "-c synchronous_commit=off" });
    await expect(open({ pool: careless }).list()).rejects.toThrow("synchronous_commit = off");
    await careless.end();
  });

  it("says that it may not write to the database", async () => {
    const readOnly = new Pool({ ...postgres?.config, options: "-c default_transaction_read_only=on" });
    onTestFinished(() => readOnly.end());
    const create = open({ pool: readOnly }).create(newThread("a"));
    await expect(create).rejects.toMatchObject({
      code: "log_unavailable",
      message: expect.stringContaining("read-only transaction"),
    });
  });

  it("works in a database whose transactions are serializable", async () => {
    const strict = new Pool({ ...postgres?.config, options: "-c default_transaction_isolation=serializable" });
    const schema = newSchema();
    const [one, two] = [open({ pool: strict, schema }), open({ pool: strict, schema })];
    await one.create(newThread("a"));
    for (let head = 0; head < 20; head += 1) {
      const results = await Promise.all(
        [one, two].map((log, index) => log.append("a", head, [entry(head + 1, `${head} by ${index}`)])),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual(["appended", "stale"]);
    }
    await Promise.all([one.close(), two.close()]);
    await strict.end();
  });

  it("goes on with one effect for each id when its connections are cut", async () => {
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
        const { rowCount } = await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
          [name],
        );
        cuts += rowCount ?? 0;
      }
      const result = await appended;
      // A commit whose response was lost is found by its id.
      expect(
        result.status === "appended" || (result.status === "duplicate" && result.receipt.id === `c${head + 1}`),
      ).toBe(true);
      head += 1;
    }
    expect(cuts).toBeGreaterThan(5);
    expect((await log.read("a", { after: 0 })).map(({ version, id }) => [version, id])).toEqual(
      Array.from({ length: 200 }, (_, index) => [index + 1, `c${index + 1}`]),
    );
    await log.close();
    await fragile.end();
  });

  it("says that the database cannot be reached", async () => {
    const nowhere = new Pool({ host: "127.0.0.1", port: 1, user: "nobody" });
    const log = open({ pool: nowhere });
    const append = log.append("a", 0, [entry(1)]);
    await expect(append).rejects.toMatchObject({
      code: "log_unavailable",
      message: expect.stringContaining("cannot be reached"),
    });
    await log.close();
    await nowhere.end();
  });
});
