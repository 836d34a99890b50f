// Logs: how many commits per second are durable, beside what the disk itself can do, and how soon
// all who follow a thread have read one.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { dropSchemas, startPostgres, type TestPostgres } from "../../../packages/server/test/support/postgres.ts";
import { latencies, lines } from "./fan-out.ts";
import { inPostgres, onDisk, type PostgresArgs } from "./log-writers.ts";
import { inPostgres as bothInPostgres, onDisk as onBoth, timesToOtherSide } from "./other-side.ts";
import { longRounds, measure } from "../harness/measure.ts";
import { columnsOf, type Table } from "../harness/results.ts";

export const COMMITS = "Durable commits per second";
export const OTHER_SIDE = "From a commit to another authority on the same storage";
export const FAN_OUT = "From an operation to its subscribers";

const module = new URL("log-writers.ts", import.meta.url);

export function threadsHead(threads: number): string {
  return threads === 1 ? "1 thread" : `${threads} threads`;
}

export function subscribersHead(subscribers: number, percentile: "p50" | "p99"): string {
  return `${subscribers.toLocaleString("en")} subscribers, ${percentile}`;
}

export async function logTables(): Promise<readonly Table[]> {
  const directory = mkdtempSync(join(tmpdir(), "opstate-bench-"));
  try {
    return [await commits(directory), await otherSide(directory), await fanOut(directory)];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function commits(directory: string): Promise<Table> {
  const postgres = startPostgres();
  if (postgres === undefined)
    console.log("No PostgreSQL here: its log is left out. Set DATABASE_URL, or install PostgreSQL.");
  try {
    const columns = await columnsOf([1, 99], threadsHead, async (threads) => {
      const times = await withSchemas(postgres, (schemas) =>
        schemas === undefined
          ? measure(module, onDisk, { threads, directory }, longRounds)
          : measure(module, { ...onDisk, ...inPostgres }, { threads, directory, postgres: schemas }, longRounds),
      );
      return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, 1_000_000 / time]));
    });
    return { title: COMMITS, unit: "per second", columns };
  } finally {
    await postgres?.stop();
  }
}

async function otherSide(directory: string): Promise<Table> {
  const postgres = startPostgres();
  try {
    const times = await withSchemas(postgres, async (schemas) => {
      const sides =
        schemas === undefined ? onBoth : { ...onBoth, ...bothInPostgres(schemas.config, schemas.schemas[0]) };
      const found: Record<string, Awaited<ReturnType<typeof timesToOtherSide>>> = {};
      for (const [name, open] of Object.entries(sides)) found[name] = await timesToOtherSide(open(directory));
      return found;
    });
    const column = (which: "p50" | "p99") =>
      Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time[which]]));
    return { title: OTHER_SIDE, unit: "ms", columns: { p50: column("p50"), p99: column("p99") } };
  } finally {
    await postgres?.stop();
  }
}

/** A database that is not ours is left as it was. */
async function withSchemas<T>(
  postgres: TestPostgres | undefined,
  work: (args: PostgresArgs | undefined) => Promise<T>,
): Promise<T> {
  if (postgres === undefined) return work(undefined);
  const name = `bench_${crypto.randomUUID().slice(0, 8)}`;
  const args: PostgresArgs = { config: postgres.config, schemas: [`${name}_single`, `${name}_grouped`] };
  try {
    return await work(args);
  } finally {
    const pool = new Pool(postgres.config);
    await dropSchemas(pool, args.schemas);
    await pool.end();
  }
}

async function fanOut(directory: string): Promise<Table> {
  const columns: Record<string, Record<string, number>> = {};
  for (const subscribers of [100, 1_000]) {
    const p50: Record<string, number> = (columns[subscribersHead(subscribers, "p50")] = {});
    const p99: Record<string, number> = (columns[subscribersHead(subscribers, "p99")] = {});
    for (const [name, open] of Object.entries(lines)) {
      const found = await latencies(open, subscribers, directory);
      p50[name] = found.p50;
      p99[name] = found.p99;
    }
  }
  return { title: FAN_OUT, unit: "ms", columns };
}
