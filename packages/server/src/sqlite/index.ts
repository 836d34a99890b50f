// A durable log in one SQLite file: the embedded default. It needs nothing but Node.
//
// Invariants:
// - A write whose promise resolved is fsynced.
// - Documents are stored as the JSON text of the value at the time of the call. So later changes to
//   a caller's object change nothing.
// - The head's version fences writers, in one process or several: see thread-log.ts.

import {
  type CallOptions,
  createLog,
  cursorNumber,
  cutPage,
  type LogAdapter,
  pageLimits,
  type ThreadInfo,
  type WatchedLog,
} from "@opstate/core/log";
import { bytesOf, type Row } from "../log/rows.ts";
import { Heads } from "./heads.ts";
import { retryWhileLocked } from "./locked.ts";
import { openDatabase } from "./open-database.ts";
import { CommitReader } from "./read-commits.ts";
import { prepareStatements } from "./statements.ts";
import { Sweeper } from "./sweep.ts";
import { findThread, infoOf, type SqliteParts, threadLog } from "./thread-log.ts";
import { WalEraser } from "./wal-eraser.ts";
import { Writer } from "./writer.ts";

/** One append is written in one turn of the event loop. */
const APPEND_LIMITS = { entries: 100_000, bytes: 64 * 2 ** 20 };

export interface SqliteLogOptions {
  /**
   * The path of the file. A missing directory is created. `":memory:"` stores nothing on disk, for
   * tests.
   */
  readonly path: string;
  /** How many refusals are kept per thread and actor, the newest ones. Default 1,000. */
  readonly refusalsPerActor?: number;
  /**
   * Milliseconds that a call waits while another process has the file locked. Then it rejects with
   * `log_unavailable`, and nothing was done. The event loop is not blocked. Default 5,000.
   */
  readonly lockTimeout?: number;
  /**
   * Milliseconds between two looks at whether another process wrote, while threads are open or
   * watched. A look reads no table. Default 50.
   */
  readonly pollInterval?: number;
}

/**
 * A log in one SQLite file (`node:sqlite`, WAL, `synchronous=FULL`). Queued writes share one
 * transaction. Processes that share the file follow each other's commits. Throws an OpstateError
 * `log_unavailable` when the file cannot be opened, belongs to another program, or was written by a
 * newer release.
 *
 * @example
 * ```ts
 * import { openThread } from "@opstate/core";
 * import { sqliteLog } from "@opstate/server/sqlite";
 *
 * const log = sqliteLog({ path: "data/boards.sqlite" });
 * const thread = await openThread({ definition: board, log, threadId: "launch" });
 * ```
 */
export function sqliteLog(options: SqliteLogOptions): WatchedLog {
  const { path, refusalsPerActor = 1_000, lockTimeout = 5_000, pollInterval = 50 } = options;
  if (!(lockTimeout >= 0))
    throw new RangeError(`\`lockTimeout\` must be a number of milliseconds from 0 on, not ${lockTimeout}.`);
  if (!(pollInterval > 0))
    throw new RangeError(`\`pollInterval\` must be a number of milliseconds above 0, not ${pollInterval}.`);
  const lock = { path, lockTimeout };
  const database = openDatabase(path, lockTimeout);
  const sql = prepareStatements(database);
  const writer = new Writer(database, lock);
  const commits = new CommitReader(database);

  const heads = new Heads({
    database,
    // No other process can write to a log that is no file.
    interval: path === ":memory:" ? Infinity : pollInterval,
    headOf: (threadId) => findThread(sql, threadId, undefined)?.info,
  });

  const eraser = new WalEraser(database);
  const sweeper = new Sweeper(writer, sql, eraser);
  // From here on timers wait for a lock. SQLite's own wait would block the event loop.
  database.exec("PRAGMA busy_timeout = 0");
  sweeper.sweepLeftovers();

  function read<T>(query: () => T, call: CallOptions | undefined): Promise<T> {
    return retryWhileLocked(query, lock, call);
  }

  /** Several statements see one moment, even while another process writes. */
  function readConsistently<T>(query: () => T, call: CallOptions | undefined): Promise<T> {
    return read(() => {
      database.exec("BEGIN");
      try {
        return query();
      } finally {
        database.exec("COMMIT");
      }
    }, call);
  }

  const parts: SqliteParts = { path, sql, writer, commits, heads, sweeper, refusalsPerActor, read, readConsistently };

  const adapter: LogAdapter & Required<Pick<LogAdapter, "finder" | "watch">> = {
    limits: APPEND_LIMITS,
    thread: (threadId, incarnation) => threadLog(parts, threadId, incarnation),

    finder: {
      find: ({ threadId, incarnation }, filter, range = {}, call) =>
        readConsistently(() => {
          const found = findThread(sql, threadId, incarnation);
          return found ? commits.read(found.key, filter, range) : { items: [] };
        }, call),
    },

    async threads(range = {}, call) {
      const { limit, bytes } = pageLimits(range);
      const { parent, cursor = "0" } = range;
      const [from, most] = [cursorNumber(cursor), limit === Infinity ? -1 : limit + 1];
      const rows = await read(
        () => (parent === undefined ? sql.pageThreads.all(from, most) : sql.pageBranches.all(parent, from, most)),
        call,
      );
      return cutPage<Row, ThreadInfo>(
        rows,
        { limit, bytes },
        { bytes: bytesOf, item: infoOf, cursor: (row) => String(row["key"]) },
      );
    },

    watch: (threadId, onHead) => heads.watch(threadId, onHead),

    async close() {
      heads.close();
      await writer.close();
      await sweeper.idle();
      eraser.close();
      if (database.isOpen) database.close();
    },
  };
  return createLog(adapter);
}
