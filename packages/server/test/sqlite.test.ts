// The SQLite log keeps the contract of every log, and what only a file can promise: group commit, other processes, clear errors.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { logContract } from "@opstate/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { sqliteLog } from "../src/sqlite/index.ts";
import { ada, entry, newThread } from "./support/entries.ts";

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
        dispose: () => log.close(),
      };
    },
  });
  it.each(cases)("$name", ({ run }) => run());
});

describe("a file of an older release", () => {
  it("is brought up to date: its threads get an incarnation, once", async () => {
    const path = newPath();
    const log = sqliteLog({ path });
    for (const threadId of ["a", "b"]) await log.create(newThread(threadId));
    await log.append("a", 0, [entry(1)]);
    await log.close();
    const database = new DatabaseSync(path);
    database.exec("ALTER TABLE threads DROP COLUMN incarnation; PRAGMA user_version = 1");
    database.close();
    const seen: (readonly (readonly unknown[])[])[] = [];
    for (let times = 0; times < 2; times++) {
      const opened = sqliteLog({ path });
      seen.push((await opened.list()).map(({ version, incarnation }) => [version, incarnation]));
      await opened.close();
    }
    expect(seen[0]).toEqual([1, 0].map((version) => [version, expect.stringMatching(/^[0-9a-f]{32}$/)]));
    expect(seen[0]?.[0]?.[1]).not.toBe(seen[0]?.[1]?.[1]);
    expect(seen[1]).toEqual(seen[0]);
  });
});

describe("group commit", () => {
  it("fails the one write that cannot be stored, not those that share its transaction", async () => {
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
    // Every commit breaks a foreign key that SQLite checks only when the transaction ends.
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

  it("settles what was queued when it is closed, and refuses what comes later", async () => {
    const path = newPath();
    const log = sqliteLog({ path });
    const queued = [log.create(newThread("a")), ...Array.from({ length: 2_000 }, (_, index) => log.append("a", index, [entry(index + 1)]))];
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
    expect((await two.read("a", { after: 0 })).map(({ version }) => version)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    await Promise.all([one.close(), two.close()]);
  });

  it("writes ahead, so that readers of the file see what was acknowledged", async () => {
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

describe("a file it cannot use", () => {
  it("says so when the path is a directory", () => {
    expect(() => sqliteLog({ path: directory })).toThrow(`The SQLite log "${directory}" cannot be opened`);
  });

  it("says so when the file is no database", () => {
    const path = join(directory, "letter.txt");
    writeFileSync(path, "Dear Ada, ".repeat(1_000));
    expect(() => sqliteLog({ path })).toThrow(`"${path}" cannot be used as a SQLite log: file is not a database`);
  });

  it("leaves another program's database alone", () => {
    const path = join(directory, "other.sqlite");
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE recipes (name TEXT)");
    expect(() => sqliteLog({ path })).toThrow("belongs to another program");
    expect(other.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "recipes" }]);
    other.close();
  });

  it("does not touch a log of a newer release", async () => {
    const path = newPath();
    await sqliteLog({ path }).close();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    expect(() => sqliteLog({ path })).toThrow("has schema version 99; this release of @opstate/server knows versions up to 2");
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 99 });
    database.close();
  });
});
