// The SQLite log keeps the log contract, and what is special to a file: group commit, other
// processes, clear errors.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Commit, Log } from "@opstate/core";
import type { ReadRange } from "@opstate/core/log";
import { logContract } from "@opstate/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { commitColumns } from "../../src/sqlite/columns.ts";
import { openDatabase } from "../../src/sqlite/open-database.ts";
import { CommitReader } from "../../src/sqlite/database/read-commits.ts";
import { STEPS } from "../../src/sqlite/schema-steps.ts";
import { prepareStatements } from "../../src/sqlite/database/statements.ts";
import { authoredCommits, authoredVersions, byAuthor } from "../support/authored.ts";
import { ada, entry, mixedEntry, newThread, snapshotOf } from "../support/entries.ts";

const robot = { kind: "agent", id: "robot" };
const directory = mkdtempSync(join(tmpdir(), "opstate-sqlite-"));
let files = 0;
const newPath = () => join(directory, "deeper", `log-${(files += 1)}.sqlite`);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("the log contract", () => {
  const cases = logContract({
    async open(options) {
      const path = newPath();
      let log = sqliteLog({ path, ...options });
      return {
        log,
        async reopen() {
          await log.close();
          log = sqliteLog({ path, ...options });
          return log;
        },
        beside: async () => sqliteLog({ path, ...options }),
        dispose: () => log.close(),
      };
    },
  });
  it.each(cases)("$name", ({ run }) => run());
});

describe("a file of an older release", () => {
  /** A file of that schema version, with one long thread and one new one. */
  function olderFile(schemaVersion: number): string {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    for (const step of STEPS.slice(0, schemaVersion)) {
      if (typeof step === "string") database.exec(step);
      else step(database);
    }
    database.exec(`PRAGMA application_id = 1869640564; PRAGMA user_version = ${schemaVersion}; BEGIN`);
    const thread = database.prepare(
      "INSERT INTO threads (thread_id, definition, version, created_at) VALUES (?, 'counter', ?, '')",
    );
    const snapshot = database.prepare("INSERT INTO snapshots VALUES (?, ?, 1, ?)");
    const searched = schemaVersion > 3;
    const commit = database.prepare(
      searched
        ? "INSERT INTO commits (thread, version, document, run_id, actor_kind, actor_id, type) VALUES (?, ?, ?, ?, ?, ?, ?)"
        : "INSERT INTO commits VALUES (?, ?, ?)",
    );
    const receipt = database.prepare("INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?)");
    for (const [index, head] of [2_345, 0].entries()) {
      const key = thread.run(`t${index}`, head).lastInsertRowid;
      snapshot.run(key, 0, JSON.stringify({ count: 0 }));
      for (let version = 1; version <= head; version += 1) {
        const stored = mixedEntry(version);
        const { actor, id, hash } = stored.receipt;
        commit.run(key, version, JSON.stringify(stored.commit), ...(searched ? commitColumns(stored.commit!) : []));
        receipt.run(key, actor.kind, actor.id, id, hash, version);
      }
    }
    if (schemaVersion > 1) database.exec("UPDATE threads SET incarnation = 'of ' || thread_id");
    database.exec("COMMIT");
    database.close();
    return path;
  }

  const entries = Array.from({ length: 2_345 }, (_, index) => mixedEntry(index + 1));

  describe.each([1, 2, 8])("of schema version %i", (schemaVersion) => {
    it("is migrated once, with its threads, commits and receipts", async () => {
      const path = olderFile(schemaVersion);
      const seen: unknown[] = [];
      for (let times = 0; times < 2; times += 1) {
        const log = sqliteLog({ path });
        seen.push(await log.list());
        expect(await log.read("t0", {})).toEqual(entries.map(({ commit }) => commit));
        expect(await log.receipt("t0", ada, "c2")).toEqual(entries[1]?.receipt);
        await log.close();
      }
      expect(seen[1]).toEqual(seen[0]);
      const incarnation =
        schemaVersion === 1 ? expect.stringMatching(/^[0-9a-f]{32}$/) : expect.stringMatching(/^of t/);
      expect(seen[0]).toEqual([
        { threadId: "t0", definition: "counter", version: 2_345, floor: 0, createdAt: "", incarnation },
        { threadId: "t1", definition: "counter", version: 0, floor: 0, createdAt: "", incarnation },
      ]);
    });

    it("is searched by run, actor and type then, also when it is opened again", async () => {
      const path = olderFile(schemaVersion);
      for (let times = 0; times < 2; times += 1) {
        const log = sqliteLog({ path });
        const versions = async (range: Parameters<typeof log.read>[1]) =>
          (await log.read("t0", range)).map(({ version }) => version);
        expect(await versions({ runId: "run 1", before: 40 })).toEqual([5, 15, 25, 35]);
        const ofRobot = await versions({ actor: { kind: "agent", id: "robot" }, after: 2_330 });
        expect(ofRobot).toEqual([2331, 2334, 2337, 2340, 2343]);
        expect(await versions({ types: ["$propose"], order: "descending", limit: 3 })).toEqual([2300, 2200, 2100]);
        await log.close();
      }
    });

    it("goes on then: it is appended to and compacted, and knows the ids that it had", async () => {
      const log = sqliteLog({ path: olderFile(schemaVersion) });
      expect(await log.append("t0", 2_345, [entry(2_346)])).toEqual({ status: "appended" });
      expect(await log.compact("t0", snapshotOf(2_340))).toBe(2_340);
      expect((await log.read("t0", {})).map(({ version }) => version)).toEqual([2341, 2342, 2343, 2344, 2345, 2346]);
      expect(await log.append("t0", 2_346, [mixedEntry(3)])).toMatchObject({ status: "duplicate" });
      await log.close();
    });
  });
});

describe("a file of a release that stored approved and merged commits under who approved or merged", () => {
  it("finds them by their author, with or without terms", async () => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    for (const step of STEPS.slice(0, -5)) {
      if (typeof step === "string") database.exec(step);
      else step(database);
    }
    database.exec(`PRAGMA application_id = 1869640564; PRAGMA user_version = ${STEPS.length - 5}`);
    const thread = database.prepare(
      "INSERT INTO threads (thread_id, definition, version, created_at) VALUES (?, 'counter', ?, '')",
    );
    const add = database.prepare(
      "INSERT INTO commits (thread, version, document, run_id, actor_kind, actor_id, type) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    // In a short thread no commit is filed yet, in a long one all are.
    for (const [key, rest] of [0, 60].entries()) {
      thread.run(`t${key}`, authoredCommits.length + rest);
      const more = Array.from({ length: rest }, (_, index) => entry(authoredCommits.length + index + 1).commit!);
      for (const commit of [...authoredCommits, ...more]) {
        const { version, runId = null, actor, operation } = commit;
        add.run(key + 1, version, JSON.stringify(commit), runId, actor.kind, actor.id, operation.type);
      }
    }
    database.close();
    const log = sqliteLog({ path });
    for (const name of ["t0", "t1"]) expect(await authoredVersions(log, name)).toEqual(byAuthor);
    await log.append(
      "t0",
      authoredCommits.length,
      Array.from({ length: 60 }, (_, index) => entry(authoredCommits.length + index + 1)),
    );
    expect(await authoredVersions(log, "t0")).toEqual(byAuthor);
    expect(await log.compact("t1", snapshotOf(authoredCommits.length))).toBe(authoredCommits.length);
    const after = new DatabaseSync(path, { readOnly: true });
    const left = after
      .prepare("SELECT count(*) AS n FROM commit_terms WHERE thread = 2 AND version <= ?")
      .get(authoredCommits.length);
    expect(left).toEqual({ n: 0 });
    after.close();
    await log.close();
  });
});

describe("a file with branches, of a release without an index for them", () => {
  it("finds them after the migration", async () => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    // The steps in code fill existing rows; there are none yet.
    for (const step of STEPS.slice(0, 5)) if (typeof step === "string") database.exec(step);
    database.exec("PRAGMA application_id = 1869640564; PRAGMA user_version = 5");
    const add = database.prepare(
      "INSERT INTO threads (thread_id, definition, version, created_at, parent) VALUES (?, 'counter', 0, '', ?)",
    );
    add.run("t", null);
    for (const name of ["b1", "b2"]) add.run(name, JSON.stringify({ threadId: "t", version: 0, incarnation: "i" }));
    database.close();
    const log = sqliteLog({ path });
    expect((await log.list({ parent: "t" })).map(({ threadId }) => threadId)).toEqual(["b1", "b2"]);
    expect((await log.list({ parent: null })).map(({ threadId }) => threadId)).toEqual(["t"]);
    const old = new DatabaseSync(path);
    expect(() =>
      old.exec(
        "INSERT INTO threads (thread_id, definition, version, created_at, parent) VALUES ('c', '', 0, '', '{}')",
      ),
    ).toThrow("newer release");
    old.close();
    await log.close();
  });
});

describe("a process of an older release that is still running", () => {
  it("cannot write a commit that a search would not find", async () => {
    const path = newPath();
    const log = sqliteLog({ path });
    await log.create(newThread("a"));
    const old = new DatabaseSync(path);
    expect(() => old.prepare("INSERT INTO commits (thread, version, document) VALUES (1, 1, '{}')").run()).toThrow(
      "newer release",
    );
    // The previous release fills the searched columns, but files approved commits under the
    // approver.
    const before =
      "INSERT INTO commits (thread, version, document, run_id, actor_kind, actor_id, type) VALUES (1, 1, '{}', '', '', '', '')";
    expect(() => old.prepare(before).run()).toThrow("no column named actor_kind");
    old.close();
    expect(await log.append("a", 0, [entry(1)])).toEqual({ status: "appended" });
    await log.close();
  });
});

describe("reading", () => {
  /** A range to read, and the same condition on a single commit. */
  const searches: readonly (readonly [ReadRange, (commit: Commit) => boolean])[] = [
    [{ runId: "run 1" }, ({ runId }) => runId === "run 1"],
    [{ runId: "run 0", actor: ada }, ({ runId, actor }) => runId === "run 0" && actor.id === ada.id],
    [{ actor: robot }, ({ actor }) => actor.id === robot.id],
    [{ types: ["$propose", "nothing"] }, ({ operation }) => operation.type === "$propose"],
    [{ types: ["$propose", "add", "add"] }, () => true],
    [{ types: ["add"], actor: robot }, ({ operation, actor }) => operation.type === "add" && actor.id === robot.id],
    [{ types: [] }, () => false],
  ];

  async function findsEverything(log: Log, threadId: string): Promise<void> {
    const all = await log.read(threadId, {});
    const { version = 0 } = (await log.info(threadId)) ?? {};
    for (const [search, holds] of searches) {
      const found = all.filter(holds);
      expect(await log.read(threadId, search)).toEqual(found);
      expect(await log.read(threadId, { ...search, order: "descending", limit: 7 })).toEqual(
        found.toReversed().slice(0, 7),
      );
      const between = { after: version - 45, before: version - 1 };
      const within = found.filter((commit) => commit.version > between.after && commit.version < between.before);
      expect(await log.read(threadId, { ...search, ...between, limit: 40 })).toEqual(within.slice(0, 40));
    }
  }

  it("finds each commit, whatever the head and the floor are", async () => {
    const log = sqliteLog({ path: newPath() });
    await Promise.all(["a", "b"].map((threadId) => log.create(newThread(threadId))));
    let head = 0;
    for (const size of [31, 1, 1, 30, 1, 2, 70, 64, 28, 3, 1]) {
      const entries = Array.from({ length: size }, (_, index) => mixedEntry(head + index + 1));
      for (const threadId of ["a", "b"])
        expect(await log.append(threadId, head, entries)).toEqual({ status: "appended" });
      head += size;
      await findsEverything(log, "a");
    }
    for (const floor of [5, 64, 199, 229, head]) {
      expect(await log.compact("a", snapshotOf(floor))).toBe(floor);
      await findsEverything(log, "a");
    }
    expect(
      await log.append(
        "a",
        head,
        Array.from({ length: 40 }, (_, index) => mixedEntry(head + index + 1)),
      ),
    ).toEqual({
      status: "appended",
    });
    await findsEverything(log, "a");
    await findsEverything(log, "b");
    await log.close();
  });

  it("finds what a process of an older release writes without terms", async () => {
    const path = newPath();
    const log = sqliteLog({ path });
    await log.create(newThread("a"));
    const old = new DatabaseSync(path);
    const add = old.prepare(
      "INSERT INTO commits (thread, version, document, run_id, author_kind, author_id, type) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    for (let version = 1; version <= 70; version += 1) {
      const { commit } = mixedEntry(version);
      add.run(1, version, JSON.stringify(commit), ...commitColumns(commit!));
      old.prepare("UPDATE threads SET version = ? WHERE key = 1").run(version);
    }
    old.close();
    expect(await log.read("a", { types: ["add"] })).toHaveLength(70);
    await findsEverything(log, "a");
    await log.close();
  });

  it.each([
    {},
    { runId: "run 1" },
    { runId: "run 1", actor: ada, types: ["add"] },
    { types: ["$propose"], actor: ada },
    { actor: ada },
  ])("%j uses an index, also for versions, and sorts nothing", (filter) => {
    const database = openDatabase(newPath());
    const texts: string[] = [];
    const watched = {
      prepare: (text: string) => (texts.push(text), database.prepare(text)),
    } as unknown as DatabaseSync;
    const reader = new CommitReader(watched);
    for (const order of ["ascending", "descending"] as const)
      reader.read(1, filter, { order, after: 3, before: 9, limit: 5 });
    const plans = texts.map((text) => {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
      return rows.map(({ detail }) => String(detail));
    });
    const range = "AND version>\\? AND version<\\?\\)";
    const newest = new RegExp(`^SEARCH commits USING INDEX commits_by_version \\(thread=\\? ${range}`);
    const filed = new RegExp(`^SEARCH commit_terms USING PRIMARY KEY \\(thread=\\? AND term=\\? ${range}`);
    const searches = Object.keys(filter).length === 0 ? [newest] : [filed, newest];
    expect(plans.map(([first]) => first)).toEqual(
      [...searches, ...searches].map((search) => expect.stringMatching(search)),
    );
    // SQLite uses one lower bound for the index and filters by the others. With two it would scan
    // the whole thread.
    for (const text of texts) expect(text.match(/\bversion >/g)).toHaveLength(1);
    expect(plans.join()).not.toMatch(/SCAN (commits|commit_terms)|TEMP B-TREE/);
    database.close();
  });
});

/** Reads page by page, by version. */
function termsOf(path: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare("SELECT version, count(*) AS n FROM commit_terms GROUP BY version ORDER BY version")
    .all();
  database.close();
  return rows.map(({ version, n }) => [version, n]);
}

describe("compaction", () => {
  async function long(path: string, count: number) {
    const log = sqliteLog({ path });
    await log.create(newThread("a"));
    await log.append(
      "a",
      0,
      Array.from({ length: count }, (_, index) => entry(index + 1)),
    );
    for (const version of [100, 200, 300]) await log.saveSnapshot("a", snapshotOf(version));
    return log;
  }

  function stored(path: string) {
    const database = new DatabaseSync(path, { readOnly: true });
    const count = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"];
    const counts = { commits: count("commits"), snapshots: count("snapshots"), receipts: count("receipts") };
    database.close();
    return counts;
  }

  it("deletes commits and older snapshots from the disk, and leaves the receipts", async () => {
    const path = newPath();
    const log = await long(path, 3_000);
    expect(await log.compact("a", snapshotOf(2_900))).toBe(2_900);
    expect(stored(path)).toEqual({ commits: 100, snapshots: 1, receipts: 3_000 });
    // An actor and a type per commit. The newest commits have no terms yet.
    expect(termsOf(path)).toEqual(Array.from({ length: 76 }, (_, index) => [2_901 + index, 2]));
    await log.close();
  });

  it("deletes nothing when its snapshot cannot be stored", async () => {
    const path = newPath();
    const log = await long(path, 1_000);
    const other = new DatabaseSync(path);
    other.exec("CREATE TRIGGER full BEFORE INSERT ON snapshots BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await expect(log.compact("a", snapshotOf(900))).rejects.toThrow("no room");
    expect(stored(path)).toEqual({ commits: 1_000, snapshots: 4, receipts: 1_000 });
    expect(await log.info("a")).toMatchObject({ floor: 0, version: 1_000 });
    expect((await log.load("a"))?.snapshot.version).toBe(300);
    other.exec("DROP TRIGGER full");
    expect(await log.compact("a", snapshotOf(900))).toBe(900);
    other.close();
    await log.close();
  });

  it("lets appends to any thread run between its slices", async () => {
    const log = await long(newPath(), 20_000);
    await log.create(newThread("b"));
    const done = { appends: 0, compactedAfter: 0 };
    const compaction = log.compact("a", snapshotOf(20_000)).then(() => (done.compactedAfter = done.appends));
    while (done.compactedAfter === 0) {
      await log.append("a", 20_000 + done.appends, [entry(20_001 + done.appends)]);
      await log.append("b", done.appends, [entry(done.appends + 1)]);
      done.appends += 1;
    }
    expect(await compaction).toBeGreaterThan(5);
    await log.close();
  });

  it("is done once its floor is stored: what a stopped process left is not visible, and the next compaction deletes it", async () => {
    const path = newPath();
    const log = await long(path, 5_000);
    const compaction = log.compact("a", snapshotOf(4_990));
    // The first step is queued before the close, the batches after it.
    await log.close();
    expect(await compaction).toBe(4_990);
    expect(stored(path).commits).toBeGreaterThan(10);
    const again = sqliteLog({ path });
    expect(await again.info("a")).toMatchObject({ floor: 4_990, version: 5_000 });
    expect((await again.read("a", {})).map(({ version }) => version)[0]).toBe(4_991);
    expect((await again.read("a", { actor: ada, order: "descending" })).length).toBe(10);
    expect(await again.snapshotAt("a", 300)).toBeUndefined();
    expect(await again.compact("a", snapshotOf(4_990))).toBe(4_990);
    expect(stored(path)).toEqual({ commits: 10, snapshots: 1, receipts: 5_000 });
    await again.close();
  });

  it("is visible to another process at once", async () => {
    const path = newPath();
    const log = await long(path, 1_000);
    const other = sqliteLog({ path });
    await log.compact("a", snapshotOf(990));
    expect(await other.info("a")).toMatchObject({ floor: 990, version: 1_000 });
    expect(await other.append("a", 1_000, [entry(3)])).toMatchObject({ status: "duplicate" });
    expect(await other.append("a", 1_000, [entry(1_001)])).toEqual({ status: "appended" });
    await Promise.all([log.close(), other.close()]);
  });
});

describe("deletion", () => {
  async function long(path: string, count: number) {
    const log = sqliteLog({ path, refusalsPerActor: 5_000 });
    await log.create(newThread("a"));
    await log.append(
      "a",
      0,
      Array.from({ length: count }, (_, index) => entry(index + 1)),
    );
    return log;
  }

  /** Of a deleted thread its incarnation alone stays. */
  function rows(path: string): number {
    const database = new DatabaseSync(path, { readOnly: true });
    const tables = [
      "threads WHERE NOT (deleted = 2 AND definition || created_at = '' AND parent IS NULL)",
      ...["commits", "snapshots", "receipts", "refusals"],
    ];
    const counts = tables.map((table) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]));
    database.close();
    return counts.reduce((sum, count) => sum + count, 0);
  }

  it("is done at once, lets writes to any thread run, and leaves nothing on the disk in the end", async () => {
    const path = newPath();
    const log = await long(path, 20_000);
    await log.create(newThread("b"));
    expect(await log.delete("a")).toBe(true);
    expect(rows(path)).toBeGreaterThan(39_000);
    expect(await log.create(newThread("a"))).toBe(true);
    const { incarnation } = (await log.info("a")) ?? {};
    let appends = 0;
    for (; rows(path) > 2 * appends + 4; appends += 1) {
      expect(await log.append("b", appends, [entry(appends + 1)])).toEqual({ status: "appended" });
      expect((await log.append("a", appends, [entry(appends + 1)], incarnation)).status).toBe("appended");
      if (appends > 5_000) throw new Error("the deleted thread is never swept");
      // The rows of the two remaining threads: a head, a snapshot, and two rows per append.
      if (rows(path) === 4 * (appends + 1) + 4) break;
    }
    expect(appends).toBeGreaterThan(5);
    await log.close();
  });

  it("continues when the log is opened again", async () => {
    const path = newPath();
    const log = await long(path, 5_000);
    const deleted = log.delete("a");
    await log.close();
    expect(await deleted).toBe(true);
    expect(rows(path)).toBeGreaterThan(5_000);
    const again = sqliteLog({ path });
    expect(await again.list()).toEqual([]);
    expect(await again.info("a")).toBeUndefined();
    await expect.poll(() => rows(path), { timeout: 60_000 }).toBe(0);
    expect(termsOf(path)).toEqual([]);
    await again.close();
  });

  it("finds branches by an index, and sorts nothing", () => {
    const database = openDatabase(newPath());
    const text = prepareStatements(database).pageBranches.sourceSQL;
    const plan = database
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all("t", 0, 10)
      .map(({ detail }) => String(detail));
    expect(plan).toEqual([
      expect.stringMatching(/^SEARCH threads USING INDEX threads_by_parent \(parent_id=\? AND key>\?\)/),
    ]);
    database.close();
  });
});

describe("group commit", () => {
  it("fails only the write that cannot be stored, not those that share its transaction", async () => {
    const log = sqliteLog({ path: newPath() });
    await Promise.all(["a", "b", "c"].map((threadId) => log.create(newThread(threadId))));
    const results = await Promise.allSettled([
      log.append("a", 0, [entry(1)]),
      log.append("b", 0, [entry(1), entry(7)]),
      log.append("nobody", 0, [entry(1)]),
      log.append("c", 0, [entry(1)]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    const heads = await log.list();
    expect(heads.map(({ threadId, version }) => [threadId, version])).toEqual([
      ["a", 1],
      ["b", 0],
      ["c", 1],
    ]);
    expect(await log.receipt("b", ada, "c1")).toBeUndefined();
    await log.close();
  });

  it("acknowledges nothing whose COMMIT fails", async () => {
    const path = newPath();
    const log = sqliteLog({ path });
    await log.create(newThread("a"));
    const other = new DatabaseSync(path);
    // Every commit violates a foreign key that SQLite checks at the end of the transaction.
    other.exec(`
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER orphan AFTER INSERT ON commits BEGIN INSERT INTO children VALUES (7); END;
    `);
    await expect(log.append("a", 0, [entry(1)])).rejects.toThrow("FOREIGN KEY constraint failed");
    expect((await log.load("a"))?.info.version).toBe(0);
    other.exec("DROP TRIGGER orphan");
    expect(await log.append("a", 0, [entry(1)])).toEqual({ status: "appended" });
    other.close();
    await log.close();
  });

  it("finishes queued writes when it is closed, and refuses later ones", async () => {
    const path = newPath();
    const log = sqliteLog({ path });
    const queued = [
      log.create(newThread("a")),
      ...Array.from({ length: 2_000 }, (_, index) => log.append("a", index, [entry(index + 1)])),
    ];
    await log.close();
    expect(new Set(await Promise.all(queued)).size).toBeGreaterThan(0);
    await expect(log.append("a", 2_000, [entry(2_001)])).rejects.toThrow("is closed");
    const again = sqliteLog({ path });
    expect((await again.load("a"))?.info.version).toBe(2_000);
    await again.close();
  });

  it("lets a second connection to the file see and fence every write", async () => {
    const path = newPath();
    const [one, two] = [sqliteLog({ path }), sqliteLog({ path })];
    await one.create(newThread("a"));
    expect(await two.create(newThread("a"))).toBe(false);
    let head = 0;
    const won = [0, 0];
    while (head < 60) {
      const results = await Promise.all(
        [one, two].map((log, index) => log.append("a", head, [entry(head + 1, `v${head + 1} by ${index}`)])),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual(["appended", "stale"]);
      won[results[0]?.status === "appended" ? 0 : 1]! += 1;
      head += 1;
    }
    expect((await two.read("a", { after: 0 })).map(({ version }) => version)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    await Promise.all([one.close(), two.close()]);
  });

  it("uses a write-ahead log, so that readers of the file see what was acknowledged", async () => {
    const path = newPath();
    const log = sqliteLog({ path });
    await log.create(newThread("a"));
    const reader = new DatabaseSync(path, { readOnly: true });
    expect(reader.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(reader.prepare("SELECT thread_id FROM threads").all()).toEqual([{ thread_id: "a" }]);
    reader.close();
    await log.close();
  });
});

describe("a file that cannot be used", () => {
  it("throws when the path is a directory", () => {
    expect(() => sqliteLog({ path: directory })).toThrow(`The SQLite log "${directory}" cannot be opened`);
  });

  it("throws when the file is not a database", () => {
    const path = join(directory, "letter.txt");
    writeFileSync(path, "Dear Ada, ".repeat(1_000));
    expect(() => sqliteLog({ path })).toThrow(`"${path}" cannot be used as a SQLite log: file is not a database`);
  });

  it("leaves the database of another program unchanged", () => {
    const path = join(directory, "other.sqlite");
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE recipes (name TEXT)");
    expect(() => sqliteLog({ path })).toThrow("belongs to another program");
    expect(other.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "recipes" }]);
    other.close();
  });

  it("leaves a log of a newer release unchanged", async () => {
    const path = newPath();
    await sqliteLog({ path }).close();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    expect(() => sqliteLog({ path })).toThrow(
      `has schema version 99; this release of @opstate/server knows versions up to ${STEPS.length}`,
    );
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 99 });
    database.close();
  });
});
