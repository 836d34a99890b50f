// The three stores of this package, as tests open them.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { memoryStreams } from "../../src/index.ts";
import { postgresStreams } from "../../src/postgres/index.ts";
import { sqliteStreams } from "../../src/sqlite/index.ts";
import type { StreamStoreUnderTest } from "../../src/testing/index.ts";
import type { TestPostgres } from "../../../server/test/support/postgres.ts";

type Open = (options: { readonly now: () => number }) => Promise<StreamStoreUnderTest>;

export const openMemory: Open = async ({ now }) => ({ store: memoryStreams({ now }) });

export const openSqlite: Open = async ({ now }) => {
  const directory = mkdtempSync(join(tmpdir(), "opstate-streams-"));
  const open = () => sqliteStreams({ path: join(directory, "streams.sqlite"), now, pollInterval: 5 });
  let store = open();
  return {
    store,
    async reopen() {
      await store.close();
      return (store = open());
    },
    beside: async () => open(),
    async dispose() {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
};

/** Each store has a schema of its own. The doorbell alone announces others. */
export function openPostgres(postgres: TestPostgres): Open {
  return async ({ now }) => {
    const pool = new Pool(postgres.config);
    const schema = `streams_${randomUUID().slice(0, 8)}`;
    const open = () => postgresStreams({ pool, schema, now, pollInterval: 60_000 });
    let store = open();
    return {
      store,
      async reopen() {
        await store.close();
        return (store = open());
      },
      beside: async () => open(),
      async dispose() {
        await store.close();
        await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
        await pool.end();
      },
    };
  };
}
