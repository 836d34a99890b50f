// A durable log in one SQLite file: the embedded default. It needs nothing but Node.
//
//   sqliteLog ── documents ──> store: in a thread of its own (worker/), or in this one (database/)
//
// Invariants:
// - A write whose promise resolved is fsynced.
// - Documents are stored as the JSON text of the value at the time of the call. So later changes to
//   a caller's object change nothing.
// - The head's version fences writers, in one process or several: see database/sql-store.ts.

import type { WatchedLog } from "@opstate/core/log";
import { localStore } from "./database/local-store.ts";
import type { StoreOptions } from "./database/store.ts";
import { openDatabase } from "./open-database.ts";
import { storeLog } from "./store-log.ts";
import { WatchedHeads } from "./watched-heads.ts";
import { workerStore } from "./worker/worker-store.ts";

/** One append is written in one turn of its thread. */
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
  /**
   * Whether the file has a worker thread of its own, so that no query, no lock and no flush of the
   * disk stops this thread. Default true. Of `":memory:"`, and where a process may have no further
   * thread, queries run in this one.
   */
  readonly worker?: boolean;
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
  const { path, refusalsPerActor = 1_000, lockTimeout = 5_000, pollInterval = 50, worker = true } = options;
  if (!(lockTimeout >= 0))
    throw new RangeError(`\`lockTimeout\` must be a number of milliseconds from 0 on, not ${lockTimeout}.`);
  if (!(pollInterval > 0))
    throw new RangeError(`\`pollInterval\` must be a number of milliseconds above 0, not ${pollInterval}.`);
  const stored: StoreOptions = { path, refusalsPerActor, lockTimeout, pollInterval };
  const heads = new WatchedHeads();
  // What is wrong with the file is thrown here.
  const database = openDatabase(path, lockTimeout);
  const isApart = worker && path !== ":memory:";
  const store = (isApart ? workerStore : localStore)(stored, database, (threadId, head) => heads.moved(threadId, head));
  // The process goes on until what an earlier one left is swept.
  store.swept(undefined).catch(() => undefined);

  return storeLog(store, heads, APPEND_LIMITS);
}
