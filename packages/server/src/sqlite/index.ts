// A durable log in one SQLite file: the embedded default. It needs nothing but Node.
//
// Invariants:
// - A write whose promise resolved is fsynced.
// - Documents are stored as the JSON text of the value at the time of the call. So later changes to
//   a caller's object change nothing.
// - The head's version fences writers, in one process or several:
//
//     append(expectedVersion, entries)
//       one transaction:  a receipt with the same actor and id?  -> duplicate
//                         head <> expectedVersion?               -> stale
//                         receipts + commits + head + 1 ... n    -> appended, after the fsync
//
// (Long because it is the whole port, one method after another.)

import type { Actor, Refusal } from "@opstate/core";
import type { Appended, Entry, Receipt, StoredSnapshot, ThreadHead, ThreadInfo, WatchedLog } from "@opstate/core/log";
import { OpstateError } from "@opstate/core";
import { checkedLog, spareSnapshots } from "@opstate/core/log";
import { parse, stringify } from "../log/document.ts";
import { keyAfter, pageOf } from "../log/list-page.ts";
import { type Row, snapshotOf, threadInfoOf } from "../log/rows.ts";
import { commitColumns, documentOf } from "./columns.ts";
import { Heads } from "./heads.ts";
import { retryWhileLocked } from "./locked.ts";
import { openDatabase } from "./open-database.ts";
import { CommitReader } from "./read-commits.ts";
import { prepareStatements } from "./statements.ts";
import { Sweeper } from "./sweep.ts";
import { Writer } from "./writer.ts";

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
    headOf: (threadId) => find(threadId, undefined)?.info,
  });

  const sweeper = new Sweeper(writer, sql);
  if (sql.findDeleted.get()) sweeper.sweepDeleted();
  // From here on timers wait for a lock. SQLite's own wait would block the event loop.
  database.exec("PRAGMA busy_timeout = 0");

  /** The thread of the name, of the given incarnation if there is one. */
  function find(
    threadId: string,
    incarnation: string | undefined,
  ): { readonly key: number; readonly info: ThreadInfo } | undefined {
    const row = sql.findThread.get(threadId);
    const info = row && infoOf(row);
    return info && (incarnation === undefined || incarnation === info.incarnation)
      ? { key: Number(row["key"]), info }
      : undefined;
  }

  function mustFind(threadId: string, incarnation: string | undefined) {
    const found = find(threadId, incarnation);
    if (found) return found;
    throw new Error(
      `The log "${path}" has no thread "${threadId}"${incarnation === undefined ? "" : ` of incarnation ${incarnation}`}.`,
    );
  }

  function receiptOf(key: number, actor: Actor, id: string): Receipt | undefined {
    const accepted = sql.findReceipt.get(key, actor.kind, actor.id, id);
    if (accepted)
      return {
        actor,
        id,
        hash: String(accepted["hash"]),
        outcome: { accepted: true, version: Number(accepted["version"]) },
      };
    const refused = sql.findRefusal.get(key, actor.kind, actor.id, id);
    return (
      refused && {
        actor,
        id,
        hash: String(refused["hash"]),
        outcome: { accepted: false, refusal: parse<Refusal>(refused["document"]) },
      }
    );
  }

  function snapshotBefore(key: number, version: number): StoredSnapshot | undefined {
    const row = sql.findSnapshot.get(key, version);
    return row && snapshotOf(row);
  }

  /** Writes one entry and returns the head after it. A repeated id violates a unique index. */
  function store(key: number, head: number, { receipt, commit }: Entry, document: string): number {
    const { actor, id, hash, outcome } = receipt;
    if (!outcome.accepted) {
      sql.addRefusal.run(key, actor.kind, actor.id, id, hash, document);
      sql.pruneRefusals.run(key, actor.kind, actor.id, refusalsPerActor - 1);
      return head;
    }
    sql.addReceipt.run(key, actor.kind, actor.id, id, hash, outcome.version);
    if (!commit) return head;
    if (commit.version !== head + 1)
      throw new OpstateError("corrupt_log", `The commit with version ${commit.version} cannot follow version ${head}.`);
    sql.addCommit.run(key, commit.version, document, ...commitColumns(commit));
    return commit.version;
  }

  function read<T>(query: () => T): Promise<T> {
    return retryWhileLocked(query, lock);
  }

  /** Several statements see one moment, even while another process writes. */
  function readConsistently<T>(query: () => T): Promise<T> {
    return read(() => {
      database.exec("BEGIN");
      try {
        return query();
      } finally {
        database.exec("COMMIT");
      }
    });
  }

  return checkedLog<WatchedLog>({
    async create({ threadId, definition, definitionVersion, state, at, parent }) {
      const document = stringify(state);
      const origin = parent === undefined ? null : stringify(parent);
      const parentId = parent?.threadId ?? null;
      const isNew = await writer.write(() => {
        const added = sql.addThread.run(threadId, definition, at, origin, parentId);
        if (Number(added.changes) === 0) return false;
        sql.addSnapshot.run(added.lastInsertRowid, 0, definitionVersion, document);
        return true;
      });
      if (isNew) heads.read(threadId);
      return isNew;
    },

    async load(threadId) {
      return readConsistently(() => {
        const found = find(threadId, undefined);
        const snapshot = found && snapshotBefore(found.key, found.info.version);
        return (
          snapshot && { info: found.info, snapshot, commits: commits.read(found.key, { after: snapshot.version }) }
        );
      });
    },

    async append(threadId, expectedVersion, entries, incarnation) {
      const documents = entries.map(documentOf);
      let moved: ThreadHead | undefined;
      const appended = await writer.write<Appended>(() => {
        moved = undefined;
        const found = find(threadId, incarnation);
        if (!found && incarnation !== undefined) return { status: "replaced" };
        const { key, info } = found ?? mustFind(threadId, incarnation);
        for (const { receipt } of entries) {
          const known = receiptOf(key, receipt.actor, receipt.id);
          if (known) return { status: "duplicate", receipt: known };
        }
        if (info.version !== expectedVersion) return { status: "stale", version: info.version };
        const head = entries.reduce(
          (version, entry, index) => store(key, version, entry, documents[index] ?? ""),
          expectedVersion,
        );
        if (head !== expectedVersion) sql.moveHead.run(head, key);
        moved = { version: head, incarnation: info.incarnation };
        return { status: "appended" };
      });
      if (moved !== undefined) heads.moved(threadId, moved);
      return appended;
    },

    async receipt(threadId, actor, id, incarnation) {
      return read(() => {
        const found = find(threadId, incarnation);
        return found && receiptOf(found.key, actor, id);
      });
    },

    async read(threadId, range, incarnation) {
      return readConsistently(() => {
        const found = find(threadId, incarnation);
        return found ? commits.read(found.key, range) : [];
      });
    },

    async refusals(threadId, { limit = -1 } = {}, incarnation) {
      return read(() => {
        const found = find(threadId, incarnation);
        const rows = found ? sql.readRefusals.all(found.key, limit) : [];
        return rows.map((row) => parse<Refusal>(row["document"])).toReversed();
      });
    },

    async saveSnapshot(threadId, { version, state, definitionVersion }, incarnation) {
      const document = stringify(state);
      return writer.write(() => {
        const { key, info } = mustFind(threadId, incarnation);
        if (version < info.floor) return;
        sql.addSnapshot.run(key, version, definitionVersion, document);
        // A sweep deletes the snapshots below the floor.
        const versions = sql.snapshotVersions.all(key).map((row) => Number(row["version"]));
        for (const spare of spareSnapshots(versions.filter((stored) => stored >= info.floor)))
          sql.dropSnapshotAt.run(key, spare);
      });
    },

    async snapshotAt(threadId, version, incarnation) {
      return read(() => {
        const found = find(threadId, incarnation);
        return found && snapshotBefore(found.key, version);
      });
    },

    async compact(threadId, { version, state, definitionVersion }, incarnation) {
      const document = stringify(state);
      const { key, floor } = await writer.write(() => {
        const { key, info } = mustFind(threadId, incarnation);
        if (version > info.version)
          throw new RangeError(
            `Thread "${threadId}" has the versions 0 to ${info.version}, so it cannot be compacted to ${version}.`,
          );
        if (version <= info.floor) return { key, floor: info.floor };
        sql.addSnapshot.run(key, version, definitionVersion, document);
        sql.moveFloor.run(version, key);
        return { key, floor: version };
      });
      await sweeper.sweep(key, floor);
      return floor;
    },

    async info(threadId) {
      return read(() => {
        const row = sql.findThread.get(threadId);
        return row === undefined ? undefined : infoOf(row);
      });
    },

    async list({ parent } = {}) {
      return read(() => (parent === undefined ? sql.listThreads.all() : sql.listBranches.all(parent)).map(infoOf));
    },

    async page({ parent, after = "0", limit }) {
      const from = keyAfter(after);
      const rows = parent === undefined ? sql.pageThreads.all(from, limit) : sql.pageBranches.all(parent, from, limit);
      return pageOf(rows, limit, infoOf);
    },

    async delete(threadId, incarnation) {
      const deleted = await writer.write(() => sql.markDeleted.get(threadId, incarnation ?? null) !== undefined);
      if (deleted) {
        heads.read(threadId);
        sweeper.sweepDeleted();
      }
      return deleted;
    },

    watch: (threadId, onHead) => heads.watch(threadId, onHead),

    async close() {
      heads.close();
      await writer.close();
      await sweeper.idle();
      if (database.isOpen) database.close();
    },
  });
}

function infoOf(row: Row): ThreadInfo {
  return threadInfoOf(row, String(row["thread_id"]));
}
