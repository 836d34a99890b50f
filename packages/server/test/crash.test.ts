// kill -9 under load: every acknowledged operation is there afterwards, and a resent operation has
// one effect. This runs a few rounds; `tools/soaks/crash.ts` runs any number.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { isLong } from "../../../tools/runs.ts";
import { crashRounds } from "./support/crash/crash-rounds.ts";
import { dropSchemas, startPostgres } from "./support/postgres.ts";

const timeout = isLong() ? 3_600_000 : 120_000;

it(
  "a server on SQLite that is killed loses nothing it acknowledged, and a resent operation has one effect",
  { timeout },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "opstate-crash-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const report = await crashRounds({ store: { kind: "sqlite", path: join(directory, "log.sqlite") }, rounds: 3 });
    expect(report).toMatchObject({ serversKilled: 3, databasesCrashed: 0 });
  },
);

it.runIf(isLong())(
  "a server on Postgres loses nothing either, also when Postgres itself is killed",
  { timeout },
  async (context) => {
    const postgres = startPostgres();
    if (postgres === undefined) return context.skip();
    const schema = `opstate_crash_${randomUUID().slice(0, 8)}`;
    onTestFinished(async () => {
      const pool = new Pool(postgres.config);
      await dropSchemas(pool, [schema]);
      await pool.end();
      await postgres.stop();
    });
    const report = await crashRounds({
      store: { kind: "postgres", config: postgres.config, schema },
      rounds: 3,
      crashDatabase: postgres.crash,
    });
    expect(report).toMatchObject(
      postgres.crash === undefined
        ? { serversKilled: 3, databasesCrashed: 0 }
        : { serversKilled: 2, databasesCrashed: 1 },
    );
  },
);
