// A durable log in PostgreSQL, for several server processes on one state.
//
// Invariants:
// - A write whose promise resolved is committed, with a flushed WAL.
// - Documents are stored as the JSON text of the value at the time of the call.
// - The head's version fences writers on any node; see writer.ts.
// - Reads go to the same database as writes, never to a replica of it.

import { OpstateError } from "@opstate/core";
import {
  type CallOptions,
  createLog,
  cursorNumber,
  cutPage,
  type LogAdapter,
  type Page,
  pageLimits,
  type ThreadInfo,
  type ThreadsRange,
  type WatchedLog,
} from "@opstate/core/log";
import type { Pool } from "pg";
import type { Ownership } from "../log/ownership.ts";
import { bytesOf } from "../log/rows.ts";
import { createDatabase } from "./database.ts";
import { Doorbell } from "./doorbell.ts";
import { Heads } from "./heads.ts";
import { infoOf } from "./info.ts";
import { postgresOwnership } from "./ownership.ts";
import { readCommits } from "./read-commits.ts";
import { statementsFor } from "./statements.ts";
import { escapeId, unescapeId } from "./stored-id.ts";
import { type PostgresParts, threadLog } from "./thread-log.ts";
import { Work } from "./work.ts";
import { Writer } from "./writer.ts";

export interface PostgresLogOptions {
  /**
   * A pool of the `pg` package, connected to the primary. The caller ends it, after the log was
   * closed.
   */
  readonly pool: Pool;
  /** The Postgres schema of the tables. It is created when it is missing. Default "opstate". */
  readonly schema?: string;
  /** How many refusals are kept per thread and actor, the newest ones. Default 1,000. */
  readonly refusalsPerActor?: number;
  /**
   * Milliseconds between two polls of the heads of watched threads. The poll is the safety net of
   * the doorbell. Default 1,500.
   */
  readonly pollInterval?: number;
  /**
   * Whether nodes announce commits to each other by NOTIFY, on one connection per log beside the
   * pool's. Default true. Set it to false behind a proxy that shares connections between
   * transactions; then the poll remains.
   */
  readonly doorbell?: boolean;
  /**
   * Milliseconds after which a call without a deadline of its own rejects with `timed_out`: a
   * database that hangs holds no caller up for longer. Its statement is cancelled, and its
   * connection leaves the pool. Default 15,000.
   */
  readonly callTimeout?: number;
}

/** The log, a way to follow the commits of other processes, and who of them owns a thread. */
export type PostgresLog = WatchedLog & {
  /** What `createServer({ node })` uses. */
  readonly ownership: Ownership;
};

/** One append is one statement, whose parameters fill one message. */
const APPEND_LIMITS = { entries: 100_000, bytes: 64 * 2 ** 20 };

/**
 * A log in PostgreSQL 13 or newer. Queued appends on one thread share one transaction. Processes
 * that share the database follow each other's commits. The tables are created at the first use.
 *
 * Calls reject with an OpstateError `log_unavailable` when the database stays away, was written by
 * a newer release, or has `synchronous_commit = off`. An invalid schema name throws.
 *
 * @example
 * ```ts
 * import { openThread } from "@opstate/core";
 * import { postgresLog } from "@opstate/server/postgres";
 * import { Pool } from "pg";
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * const log = postgresLog({ pool });
 * const thread = await openThread({ definition: board, log, threadId: "launch" });
 * ```
 */
export function postgresLog(options: PostgresLogOptions): PostgresLog {
  const {
    pool,
    schema = "opstate",
    refusalsPerActor = 1_000,
    pollInterval = 1_500,
    doorbell: hasDoorbell = true,
    callTimeout = 15_000,
  } = options;
  if (!(callTimeout > 0))
    throw new RangeError(`\`callTimeout\` must be a number of milliseconds above 0, not ${callTimeout}.`);
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new OpstateError(
      "log_unavailable",
      `"${schema}" cannot be the Postgres schema of a log. Use 1 to 40 lowercase letters, digits and underscores, not beginning with a digit.`,
    );
  }
  const database = createDatabase(pool);
  const sql = statementsFor(schema);
  const work = new Work(database, schema, callTimeout);
  const heads = new Heads({
    interval: pollInterval,
    async read(threadIds) {
      const rows = await work.run(({ query }) => query(sql.findHeads, [threadIds.map(escapeId)]));
      return rows.map((row) => ({
        key: Number(row["key"]),
        threadId: unescapeId(row["thread_id"]),
        version: Number(row["version"]),
        incarnation: String(row["incarnation"]),
      }));
    },
  });
  const doorbell = hasDoorbell
    ? new Doorbell({
        pool,
        channel: schema,
        onRing: (key, version) => heads.announced(key, version),
        onListening: () => heads.pollNow(),
      })
    : undefined;
  const writer = new Writer({
    database,
    statements: sql,
    refusalsPerActor,
    limited: (call) => work.limited(call),
    ready: () => work.ready(),
    onHead(head) {
      heads.moved(head);
      doorbell?.ring(head.key, head.version);
    },
  });

  // Without a listener, a lost idle connection of the pool would end the process.
  const ignore = () => undefined;
  pool.on("error", ignore);

  const parts: PostgresParts = { sql, work, writer };

  async function threads(range: ThreadsRange = {}, call?: CallOptions): Promise<Page<ThreadInfo>> {
    const { limit, bytes } = pageLimits(range);
    const { parent, cursor = "0" } = range;
    const [from, most] = [cursorNumber(cursor), limit === Infinity ? null : limit + 1];
    const rows = await work.run(({ query }) => {
      if (parent === undefined) return query(sql.pageThreads, [from, most]);
      return parent === null
        ? query(sql.pageRoots, [from, most])
        : query(sql.pageBranches, [from, most, escapeId(parent)]);
    }, call);
    return cutPage(rows, { limit, bytes }, { bytes: bytesOf, item: infoOf, cursor: (row) => String(row["key"]) });
  }

  const adapter: LogAdapter & Required<Pick<LogAdapter, "finder" | "watch">> = {
    limits: APPEND_LIMITS,
    thread: (threadId, incarnation) => threadLog(parts, { threadId, incarnation }),
    threads,
    finder: {
      find: (thread, filter, range = {}, call) =>
        work.run(({ query }) => readCommits(query, sql, { incarnation: undefined, ...thread }, filter, range), call),
    },

    watch(threadId, onHead) {
      work.checkOpen();
      doorbell?.listen();
      return heads.watch(threadId, onHead);
    },

    close() {
      return work.close(async () => {
        await writer.idle();
        await work.idle();
        await doorbell?.close();
        await heads.close();
        pool.off("error", ignore);
      });
    },
  };
  return Object.assign(createLog(adapter), { ownership: postgresOwnership(sql, work) });
}
