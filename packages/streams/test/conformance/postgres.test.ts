import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, describe } from "vitest";
import { postgresStreams } from "../../src/postgres/index.ts";
import { startPostgres } from "../../../server/test/support/postgres.ts";
import { runConformance } from "../support/run-conformance.ts";

const postgres = startPostgres();
afterAll(() => postgres?.stop());

describe.skipIf(postgres === undefined)("with a database", () => {
  if (postgres === undefined) return;
  runConformance("Durable Streams on Postgres", async () => {
    const pool = new Pool(postgres.config);
    const schema = `streams_${randomUUID().slice(0, 8)}`;
    const store = postgresStreams({ pool, schema });
    return {
      store,
      async dispose() {
        await store.close();
        await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
        await pool.end();
      },
    };
  });
});
