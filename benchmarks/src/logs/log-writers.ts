// Durable commits, by each log: one at a time, or 64 that wait together; on one thread, or on many
// in turn.

import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@opstate/core";
import type { Entry } from "@opstate/core/log";
import { memoryLog } from "@opstate/core";
import { postgresLog } from "@opstate/server/postgres";
import { sqliteLog } from "@opstate/server/sqlite";
import { Pool, type PoolConfig } from "pg";
import type { Run } from "../harness/measure.ts";
import { ada, openBoard, renameBoard, renameOf } from "../boards/rename-board.ts";

export interface LogArgs {
  readonly threads: number;
  /** Where files go: on the disk whose floor is measured. */
  readonly directory: string;
  readonly postgres?: PostgresArgs;
}

export interface PostgresArgs {
  readonly config: PoolConfig;
  /** A Postgres schema for each candidate, made by it. */
  readonly schemas: readonly [single: string, grouped: string];
}

/** Rows that budgets speak of. */
export const LOG = {
  floor: "the disk: the same bytes by write and fdatasync, one commit after another",
  sqlite: "SQLite log, one at a time",
  sqliteGrouped: "SQLite log, 64 waiting at once",
  postgresGrouped: "Postgres log, 64 waiting at once",
} as const;

const WAITING = 64;
/**
 * The file that the floor is written to: as large as a WAL becomes, and written again from its
 * start.
 */
const FLOOR_BYTES = 16 * 2 ** 20;
/** So many commits are kept in memory. */
const MEMORY_COMMITS = 50_000;

export const onDisk = {
  [LOG.floor]: floor,
  [LOG.sqlite]: (args: LogArgs) => appender(openSqlite(args), args, 1),
  [LOG.sqliteGrouped]: (args: LogArgs) => appender(openSqlite(args), args, WAITING),
  "SQLite log, 64 waiting `thread.dispatch`": dispatcher,
  "memory log, one at a time": (args: LogArgs) => appender(memoryLog, args, 1),
  "memory log, 64 waiting at once": (args: LogArgs) => appender(memoryLog, args, WAITING),
};
export const inPostgres = {
  "Postgres log, one at a time": (args: LogArgs) => appender(openPostgres(args, 0), args, 1),
  [LOG.postgresGrouped]: (args: LogArgs) => appender(openPostgres(args, 1), args, WAITING),
};
export const candidates = { ...onDisk, ...inPostgres };

function openSqlite({ directory }: LogArgs): () => Log {
  return () => sqliteLog({ path: join(directory, `${crypto.randomUUID()}.sqlite`) });
}

function openPostgres({ postgres }: LogArgs, which: 0 | 1): () => Log {
  if (postgres === undefined) throw new Error("there is no PostgreSQL to measure");
  const { config, schemas } = postgres;
  return () => postgresLog({ pool: new Pool(config), schema: schemas[which] });
}

/** What a log stores of one rename. */
function entryOf(version: number): Entry {
  const { type, column, card, title } = renameOf(version);
  const id = `${(version * 2_654_435_761) >>> 0}-${version}`;
  const path = `/columns/${column}/cards/${card}/title`;
  return {
    receipt: { actor: ada, id, hash: "0123456789abcdef0123456789abcdef", outcome: { accepted: true, version } },
    commit: {
      version,
      id,
      operation: { type, column, card, title } as { readonly type: string },
      actor: ada,
      at: "2026-01-01T00:00:00.000Z",
      patches: [{ op: "replace", path, value: title }],
      inverse: [{ op: "replace", path, value: "The title before" }],
      definitionVersion: 1,
    },
  };
}

function floor({ directory }: LogArgs): Run {
  const file = openSync(join(directory, "floor"), "w");
  writeSync(file, Buffer.alloc(FLOOR_BYTES));
  fdatasyncSync(file);
  process.on("exit", () => closeSync(file));
  let position = 0;
  let version = 0;
  return (count) => {
    for (let i = 0; i < count; i++) {
      const bytes = Buffer.from(JSON.stringify(entryOf((version += 1))));
      if (position + bytes.length > FLOOR_BYTES) position = 0;
      position += writeSync(file, bytes, 0, bytes.length, position);
      fdatasyncSync(file);
    }
  };
}

interface Target {
  readonly threadId: string;
  version: number;
}

/** On one thread, what waits together is one append; on many, an append each. */
async function appender(open: () => Log, { threads }: LogArgs, waiting: number): Promise<Run> {
  let { log, targets } = await begin(open, threads);
  let next = 0;
  let written = 0;
  const append = (target: Target, entries: number) => {
    const expected = target.version;
    target.version += entries;
    return log.append(
      target.threadId,
      expected,
      Array.from({ length: entries }, (_, n) => entryOf(expected + 1 + n)),
    );
  };
  return async (count) => {
    for (let left = count; left > 0; left -= Math.min(left, waiting)) {
      const group = Math.min(left, waiting);
      if (open === memoryLog && (written += group) > MEMORY_COMMITS) {
        ({ log, targets } = await begin(open, threads));
        written = 0;
      }
      const appends = threads === 1 ? [group] : Array.from({ length: group }, () => 1);
      const appended = await Promise.all(
        appends.map((entries) => append(targets[(next += 1) % threads] as Target, entries)),
      );
      if (appended.some(({ status }) => status !== "appended"))
        throw new Error("a log did not take what follows its head");
    }
  };
}

async function begin(open: () => Log, threads: number): Promise<{ log: Log; targets: readonly Target[] }> {
  const log = open();
  const targets = Array.from({ length: threads }, (_, n) => ({ threadId: `thread-${n}`, version: 0 }));
  const thread = {
    definition: renameBoard.name,
    definitionVersion: 1,
    state: renameBoard.initial,
    at: "2026-01-01T00:00:00.000Z",
  };
  for (const { threadId } of targets) await log.create({ threadId, ...thread });
  return { log, targets };
}

/** The whole way: taken in, decided by the reducer, stored, announced. */
async function dispatcher(args: LogArgs): Promise<Run> {
  const log = openSqlite(args)();
  const threads = await Promise.all(Array.from({ length: args.threads }, (_, n) => openBoard(log, `thread-${n}`)));
  let next = 0;
  return async (count) => {
    for (let left = count; left > 0; left -= Math.min(left, WAITING)) {
      const waiting = Array.from({ length: Math.min(left, WAITING) }, async () => {
        next += 1;
        return threads[next % threads.length]?.dispatch(renameOf(next), { actor: ada });
      });
      const verdicts = await Promise.all(waiting);
      if (verdicts.some((verdict) => verdict?.accepted !== true)) throw new Error("a rename was refused");
    }
  };
}
