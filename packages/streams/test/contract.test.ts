// Every store keeps the same contract.

import { afterAll, describe, it } from "vitest";
import { streamStoreContract } from "../src/testing/index.ts";
import { startPostgres } from "../../server/test/support/postgres.ts";
import { openMemory, openPostgres, openSqlite } from "./support/stores.ts";

const postgres = startPostgres();
afterAll(() => postgres?.stop());

describe("streams in memory", () => {
  for (const { name, run } of streamStoreContract({ open: openMemory })) it(name, run);
});

describe("streams in SQLite", () => {
  for (const { name, run } of streamStoreContract({ open: openSqlite })) it(name, run);
});

describe.skipIf(postgres === undefined)("streams in Postgres", () => {
  if (postgres === undefined) return;
  for (const { name, run } of streamStoreContract({ open: openPostgres(postgres) })) it(name, run);
});
