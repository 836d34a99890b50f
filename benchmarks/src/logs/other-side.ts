// How soon a commit that one authority makes is seen by those who follow the thread with another
// one:
// on the same log object, or on another one of the same storage, as another process has it.

import { join } from "node:path";
import { type Log, memoryLog, openThread } from "@opstate/core";
import { postgresLog } from "@opstate/server/postgres";
import { sqliteLog } from "@opstate/server/sqlite";
import { Pool, type PoolConfig } from "pg";
import { ada, renameBoard, renameOf } from "../boards/rename-board.ts";

interface Sides {
  readonly here: Log;
  readonly there: Log;
  close?(): Promise<void>;
}

const COMMITS = 200;

/** The rows of the table. */
export const SIDES = {
  memory: "memory log, the same object",
  sqlite: "SQLite log, the same object",
  sqliteFile: "SQLite log, another one on the file",
  postgres: "Postgres log, another one on the database",
} as const;

export const onDisk = {
  [SIDES.memory]: (): Sides => {
    const log = memoryLog();
    return { here: log, there: log };
  },
  [SIDES.sqlite]: (directory: string): Sides => {
    const log = sqliteLog({ path: join(directory, `${crypto.randomUUID()}.sqlite`) });
    return { here: log, there: log };
  },
  [SIDES.sqliteFile]: (directory: string): Sides => {
    const path = join(directory, `${crypto.randomUUID()}.sqlite`);
    return { here: sqliteLog({ path }), there: sqliteLog({ path }) };
  },
};

export function inPostgres(config: PoolConfig, schema: string): Readonly<Record<string, () => Sides>> {
  return {
    [SIDES.postgres]: () => {
      const pools = [new Pool(config), new Pool(config)] as const;
      const [here, there] = [postgresLog({ pool: pools[0], schema }), postgresLog({ pool: pools[1], schema })];
      return { here, there, close: async () => void (await Promise.all(pools.map((pool) => pool.end()))) };
    },
  };
}

/**
 * Milliseconds from a verdict to the commit at the other side; 0 where it came before the verdict.
 */
export async function timesToOtherSide({
  here,
  there,
  close,
}: Sides): Promise<{ readonly p50: number; readonly p99: number }> {
  const options = { definition: renameBoard, threadId: "b" };
  const [writer, reader] = [await openThread({ ...options, log: here }), await openThread({ ...options, log: there })];
  const times: number[] = [];
  // Who only follows keeps no process alive.
  const alive = setInterval(() => undefined, 1_000);
  for (let version = 1; version <= COMMITS; version++) {
    let seenAt: number | undefined;
    const seen = new Promise<void>((resolve) => {
      const end = reader.onCommit((commit) => {
        if (commit.version < version) return;
        seenAt = performance.now();
        end();
        resolve();
      });
    });
    await writer.dispatch(renameOf(version), { actor: ada });
    const committedAt = performance.now();
    await seen;
    times.push(Math.max(0, (seenAt ?? committedAt) - committedAt));
    // Commits fall anywhere between two looks.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
  }
  clearInterval(alive);
  await Promise.all([writer.close(), reader.close()]);
  await Promise.all([here.close(), there.close()]);
  await close?.();
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length / 2)] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}
