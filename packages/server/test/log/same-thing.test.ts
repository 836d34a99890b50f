// The histories that had a fault once, on a disk and in a database: the program ends after each
// step, and another one, which knows nothing but the log, goes on.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { HISTORIES } from "../../../core/test/thread/same-thing/found.ts";
import { World } from "../../../core/test/thread/same-thing/world.ts";
import { isLong } from "../../../../tools/runs.ts";
import { postgresLog } from "../../src/postgres/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { dropSchemas, startPostgres } from "../support/postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "opstate-same-thing-"));
const postgres = isLong() ? startPostgres() : undefined;
const pool = new Pool({ ...postgres?.config, max: 6 });
const schemas = new Set<string>();

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (postgres) await dropSchemas(pool, schemas);
  await pool.end();
  await postgres?.stop();
});

describe.runIf(isLong())("an operation that is done again, with a restart after each step", () => {
  it.each(HISTORIES)("on SQLite: %s", async (_, steps) => {
    const path = join(folder, `${randomUUID()}.sqlite`);
    const world = new World(() => undefined, { restartsAlways: true, openLog: () => sqliteLog({ path }) });
    await expect(world.run(steps)).resolves.toBeUndefined();
  });

  it.skipIf(!postgres).each(HISTORIES)("on Postgres: %s", async (_, steps) => {
    const schema = `opstate_test_${randomUUID().slice(0, 13).replace("-", "_")}`;
    schemas.add(schema);
    const world = new World(() => undefined, {
      restartsAlways: true,
      openLog: () => postgresLog({ pool, schema }),
    });
    await expect(world.run(steps)).resolves.toBeUndefined();
  });
});
