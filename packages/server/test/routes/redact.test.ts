// What an actor wrote is erased by a request: from every answer, and from what the log stores.

import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryLog } from "@opstate/core";
import { Pool } from "pg";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { postgresLog } from "../../src/postgres/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { addCard } from "../support/board.ts";
import { as } from "../support/rights/owners.ts";
import { dropSchemas, startPostgres } from "../support/postgres.ts";
import { send, start } from "../support/server.ts";

const SECRET = "Zwetschgenkuchen";

const postgres = startPostgres();
const pool = new Pool({ ...postgres?.config, max: 8 });
const schema = `opstate_test_${randomUUID().slice(0, 8)}`;
afterAll(async () => {
  if (postgres) await dropSchemas(pool, [schema]);
  await pool.end();
  await postgres?.stop();
});

/** A log, and what it stores as text. */
const logs = {
  memory: () => ({ log: memoryLog(), stored: async () => "" }),
  SQLite() {
    const folder = mkdtempSync(join(tmpdir(), "opstate-redact-"));
    const path = join(folder, "log.sqlite");
    const log = sqliteLog({ path });
    onTestFinished(async () => {
      await log.close();
      rmSync(folder, { recursive: true });
    });
    const stored = async () =>
      ["", "-wal"].map((suffix) => (existsSync(path + suffix) ? readFileSync(path + suffix, "latin1") : "")).join("");
    return { log, stored };
  },
  Postgres() {
    const log = postgresLog({ pool, schema });
    onTestFinished(() => log.close());
    const tables = ["threads", "commits", "snapshots", "receipts"];
    const stored = async () => {
      const rows = await Promise.all(tables.map((table) => pool.query(`SELECT * FROM "${schema}".${table}`)));
      return JSON.stringify(rows.map((result) => result.rows));
    };
    return { log, stored };
  },
};

describe.each(Object.entries(logs))("redact on %s", (kind, open) => {
  it.skipIf(kind === "Postgres" && !postgres)("leaves nothing in any answer, nor in what is stored", async () => {
    const { log, stored } = open();
    const authorize = (request: Request) => {
      const id = request.headers.get("x-user") ?? request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
      return { actor: { kind: "user", id }, allows: (_: string, right: string) => right !== "admin" || id === "admin" };
    };
    const { url } = await start({ log, authorize });
    const thread = `${url}/threads/launch`;
    const ask = (user: string, method: string, path = "", body?: unknown) =>
      send(thread + path, method, body, as(user));
    const rename = (cardId: string, title: string) => ({ operation: { type: "rename", cardId, title } });
    await ask("bob", "PUT", "", { definition: "board" });
    await ask("bob", "POST", "/operations", addCard("c0", "of bob"));
    for (const n of [1, 2]) await ask("ada", "POST", "/operations", addCard(`c${n}`, `${SECRET} ${n}`));
    await ask("ada", "POST", "/branches", { name: "b" });
    await ask("ada", "POST", "~b/operations", addCard("b1", `${SECRET} on a branch`));
    await ask("bob", "POST", "~b/operations", addCard("b2", "of bob"));
    await ask("ada", "POST", "/operations", rename("nowhere", `${SECRET} refused`));
    await ask("ada", "POST", "/proposals", rename("c0", `${SECRET} proposed`));
    const last = await ask("bob", "POST", "/operations", addCard("c3", "later of bob"));
    for (const [path, ids] of [
      ["", ["c1", "c2"]],
      ["~b", ["c1", "c2", "b1"]],
    ] as const)
      for (const id of ids) await ask("bob", "POST", `${path}/operations`, rename(id, "-"));
    await ask("bob", "POST", "/undo", { target: { actor: { kind: "user", id: "bob" }, since: 100 } });

    const reads = ["", "/history?rejections=true", "/proposals", "/branches", "/branches/launch~b/diff", "/states/"];
    const answers = async () => {
      const found = [];
      for (const path of ["", "~b"])
        for (const read of reads)
          for (let version = 0; version < (read === "/states/" ? 14 : 1); version++)
            found.push(await ask("bob", "GET", `${path}${read}${read === "/states/" ? version : ""}`));
      return JSON.stringify(found);
    };
    expect(await answers()).toContain(SECRET);
    if (kind !== "memory") expect(await stored()).toContain(SECRET);

    expect(await ask("bob", "POST", "/redact", { author: { kind: "user", id: "ada" } })).toMatchObject({ status: 403 });
    expect(await ask("admin", "POST", "/redact", { author: "ada" })).toMatchObject({ status: 400 });
    const before = await ask("bob", "GET");
    const redacted = await ask("admin", "POST", "/redact", { author: { kind: "user", id: "ada" } });
    expect(redacted).toMatchObject({ status: 200, body: { branches: ["launch~b"] } });
    expect(await answers()).not.toContain(SECRET);
    await vi.waitFor(async () => expect(await stored()).not.toContain(SECRET), { timeout: 60_000 });

    const after = await ask("bob", "GET");
    expect((after.body as { state: unknown }).state).toEqual((before.body as { state: unknown }).state);
    const { version } = last.body as { version: number };
    expect(await ask("bob", "GET", `/history?after=${version - 1}&limit=1`)).toMatchObject({
      body: [{ commit: { version, actor: { id: "bob" } } }],
    });
    expect(await ask("bob", "POST", "/operations", addCard("c9", "goes on"))).toMatchObject({ status: 200 });
  });
});
