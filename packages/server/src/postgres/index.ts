// A durable log in PostgreSQL, for several server processes on one state.
//
// Invariants:
// - A write whose promise resolved is committed, with a flushed WAL.
// - Documents are stored as the JSON text of the value at the time of the call.
// - The head's version fences writers on any node; see writer.ts.
// - Reads go to the same database as writes, never to a replica of it.
//
// (Long because it is the whole port, one method after another. The statements have files of their
// own.)

import type { Commit, Log, Refusal } from "@opstate/core";
import type { ReadRange, StoredSnapshot, ThreadInfo } from "@opstate/core/log";
import { OpstateError } from "@opstate/core";
import { checkedLog } from "@opstate/core/log";
import type { Pool } from "pg";
import { parse, stringify } from "../log/document.ts";
import { keyAfter, pageOf } from "../log/list-page.ts";
import { type Row, snapshotOf, threadInfoOf } from "../log/rows.ts";
import { missingThread, moveFloor, sweep, sweepDeleted, thinSnapshots } from "./compact.ts";
import { createDatabase, type Query } from "./database.ts";
import { Doorbell } from "./doorbell.ts";
import { Heads } from "./heads.ts";
import { readStatement } from "./read-commits.ts";
import { receiptOf, storedEntry, storedReceipt } from "./receipts.ts";
import { statementsFor } from "./statements.ts";
import { escapeId, unescapeId } from "./stored-id.ts";
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
}

/** The log, and a way to follow the commits of other processes. */
export interface PostgresLog extends Log {
  /** Calls `onHead` with each new head of the thread. Returns the function that unsubscribes. */
  watch(threadId: string, onHead: (version: number, incarnation: string) => void): () => void;
}

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
  } = options;
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new OpstateError(
      "log_unavailable",
      `"${schema}" cannot be the Postgres schema of a log. Use 1 to 40 lowercase letters, digits and underscores, not beginning with a digit.`,
    );
  }
  const database = createDatabase(pool);
  const sql = statementsFor(schema);
  const work = new Work(database, schema);
  const heads = new Heads({
    interval: pollInterval,
    async read(threadIds) {
      await work.ready();
      const rows = await database.query(sql.findHeads, [threadIds.map(escapeId)]);
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
    ready: () => work.ready(),
    onHead(head) {
      heads.moved(head);
      doorbell?.ring(head.key, head.version);
    },
  });

  // Without a listener, a lost idle connection of the pool would end the process.
  const ignore = () => undefined;
  pool.on("error", ignore);

  async function findSnapshot(
    query: Query,
    threadId: string,
    version: number,
    incarnation?: string,
  ): Promise<StoredSnapshot | undefined> {
    const [row] = await query(sql.findSnapshot, [escapeId(threadId), version, incarnation ?? null]);
    return row && snapshotOf(row);
  }

  async function readCommits(
    query: Query,
    threadId: string,
    range: ReadRange,
    incarnation?: string,
  ): Promise<readonly Commit[]> {
    const { statement, values } = readStatement(sql, threadId, range, incarnation);
    const rows = await query(statement, values);
    return rows.map((row) => parse<Commit>(row["document"]));
  }

  function readPage(
    query: Query,
    parent: string | null | undefined,
    from: number,
    limit: number,
  ): Promise<readonly Row[]> {
    if (parent === undefined) return query(sql.pageThreads, [from, limit]);
    return parent === null
      ? query(sql.pageRoots, [from, limit])
      : query(sql.pageBranches, [from, limit, escapeId(parent)]);
  }

  return checkedLog<PostgresLog>({
    // Not retried: a second run would find the thread of the first one and report that it existed.
    async create({ threadId, definition, definitionVersion, state, at, parent }) {
      const origin = parent === undefined ? null : stringify(parent);
      const values = [
        escapeId(threadId),
        definition,
        at,
        definitionVersion,
        stringify(state),
        origin,
        parent === undefined ? null : escapeId(parent.threadId),
      ];
      return work.run(async (query) => (await query(sql.addThread, values)).length > 0, "fail");
    },

    load(threadId) {
      return work.run(() =>
        database.transaction(async (query) => {
          const [row] = await query(sql.findThread, [escapeId(threadId)]);
          const info = row && infoOf(row);
          const snapshot = info && (await findSnapshot(query, threadId, info.version));
          return (
            snapshot && { info, snapshot, commits: await readCommits(query, threadId, { after: snapshot.version }) }
          );
        }, "REPEATABLE READ READ ONLY"),
      );
    },

    async append(threadId, expectedVersion, entries, incarnation) {
      work.checkOpen();
      return writer.append({ threadId, incarnation }, { expectedVersion, entries: entries.map(storedEntry) });
    },

    receipt(threadId, actor, id, incarnation) {
      const values = [
        escapeId(threadId),
        [escapeId(actor.kind)],
        [escapeId(actor.id)],
        [escapeId(id)],
        incarnation ?? null,
      ];
      return work.run(async (query) => {
        const rows = await query(sql.findKnown, values);
        const row = rows.find((found) => found["id"] !== null);
        return row && receiptOf(storedReceipt(row));
      });
    },

    async read(threadId, range, incarnation) {
      return work.run((query) => readCommits(query, threadId, range, incarnation));
    },

    refusals(threadId, { limit } = {}, incarnation) {
      return work.run(async (query) => {
        const rows = await query(sql.readRefusals, [escapeId(threadId), limit ?? null, incarnation ?? null]);
        return rows.map((row) => parse<Refusal>(row["refusal"])).toReversed();
      });
    },

    async saveSnapshot(threadId, { version, state, definitionVersion }, incarnation) {
      const values = [escapeId(threadId), version, definitionVersion, stringify(state), incarnation ?? null];
      const [head] = await work.run((query) => query(sql.addSnapshot, values));
      if (!head) throw missingThread(threadId, incarnation);
      await work.runInBackground((query) =>
        thinSnapshots(query, sql, { key: Number(head["key"]), floor: Number(head["floor"]) }),
      );
    },

    snapshotAt(threadId, version, incarnation) {
      return work.run((query) => findSnapshot(query, threadId, version, incarnation));
    },

    async compact(threadId, { version, state, definitionVersion }, incarnation) {
      const document = stringify(state);
      const compaction = await work.run((query) =>
        moveFloor(query, sql, threadId, { version, definitionVersion }, document, incarnation),
      );
      // The floor has moved, even if the sweep fails.
      await work.runInBackground((query, stopped) => sweep(query, sql, compaction, stopped));
      return compaction.floor;
    },

    info(threadId) {
      return work.run(async (query) => {
        const [row] = await query(sql.findThread, [escapeId(threadId)]);
        return row && infoOf(row);
      });
    },

    list({ parent } = {}) {
      return work.run(async (query) => {
        if (parent === undefined) return (await query(sql.listThreads)).map(infoOf);
        return (await (parent === null ? query(sql.listRoots) : query(sql.listBranches, [escapeId(parent)]))).map(
          infoOf,
        );
      });
    },

    async page({ parent, after = "0", limit }) {
      const from = keyAfter(after);
      return work.run(async (query) => pageOf(await readPage(query, parent, from, limit), limit, infoOf));
    },

    async delete(threadId, incarnation) {
      const values = [escapeId(threadId), incarnation ?? null];
      const deleted = await work.run(async (query) => (await query(sql.markDeleted, values)).length > 0, "fail");
      if (deleted) void work.runInBackground((query, stopped) => sweepDeleted(query, sql, stopped));
      return deleted;
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
  });
}

function infoOf(row: Row): ThreadInfo {
  return threadInfoOf(row, unescapeId(row["thread_id"]));
}
