// The calls of a log, done by SQL on a SQLite database of this thread. Node or a Durable Object
// opened it.
//
// The head's version fences writers, in one process or several:
//
//   append(head, entries)
//     one transaction:  another incarnation?                        -> replaced
//                       a receipt with the same actor and id?       -> duplicate
//                       based on a version below the receipt floor? -> expired
//                       another head?                               -> stale
//                       receipts + commits + head + 1 ... n         -> appended, after the fsync
//
// (Long because it is one store, one call after another.)

import type { AppendResult, CallOptions, Created, Deleted, ThreadHead, ThreadInfo } from "@opstate/core/log";
import { cursorNumber, cutPage, logError, pageLimits, spareSnapshots } from "@opstate/core/log/storage";
import { bytesOf, type Row } from "../../log/rows.ts";
import { type Found, findThread, infoOf, receiptOf, snapshotBefore, treeOf } from "./find-thread.ts";
import type { Heads } from "./heads.ts";
import { CommitReader } from "./read-commits.ts";
import { readReceipts } from "./read-receipts.ts";
import { prepareStatements } from "./statements.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { EntryRow, StoreCalls, ThreadKey } from "./store.ts";
import { type Eraser, Sweeper } from "./sweep.ts";
import type { Writer } from "./writer.ts";

/** What a database is beside its statements. */
export interface StoreParts {
  readonly database: SqlDatabase;
  /** How errors call the log. */
  readonly name: string;
  readonly refusalsPerActor: number;
  /** Each write is done whole or not at all, and resolves when it is durable. */
  readonly writer: Pick<Writer, "write" | "close">;
  readonly eraser: Eraser;
  /** `headOf`: undefined where there is no such thread. */
  heads(
    headOf: (threadId: string) => ThreadHead | undefined,
  ): Pick<Heads, "watch" | "unwatch" | "moved" | "read" | "close">;
  /** A query of one statement. */
  read<T>(call: CallOptions | undefined, query: () => T): Promise<T>;
  /** Several statements see one moment, even while another process writes. */
  readConsistently<T>(call: CallOptions | undefined, query: () => T): Promise<T>;
  /** The store is done with its database. */
  close(): void;
}

/** `database`: with its tables, of this store alone. */
export function sqlStore(parts: StoreParts): StoreCalls {
  const { database, name: path, refusalsPerActor, writer, eraser, read, readConsistently } = parts;
  const sql = prepareStatements(database);
  const commits = new CommitReader(database);
  const heads = parts.heads((threadId) => find({ threadId, incarnation: undefined })?.info);
  const sweeper = new Sweeper(writer, sql, eraser);
  sweeper.sweepLeftovers();

  const find = (of: ThreadKey) => findThread(sql, of);

  function mustFind(of: ThreadKey): Found {
    const found = find(of);
    if (found) return found;
    throw new Error(
      `The log "${path}" has no thread "${of.threadId}"${of.incarnation === undefined ? "" : ` of incarnation ${of.incarnation}`}.`,
    );
  }

  function checkVersion({ threadId, version: head }: ThreadInfo, version: number, what: string): void {
    if (version > head)
      throw new RangeError(`Thread "${threadId}" has the versions 0 to ${head}, so it cannot be ${what} ${version}.`);
  }

  /** Writes one entry and returns the head after it. A repeated id violates a unique index. */
  function storeEntry(key: number, head: number, entry: EntryRow): number {
    const [actorKind, actorId, id, hash, accepted, document, commit] = entry;
    if (accepted === null) {
      sql.addRefusal.run(key, actorKind, actorId, id, hash, document);
      sql.pruneRefusals.run(key, actorKind, actorId, refusalsPerActor - 1);
      return head;
    }
    sql.addReceipt.run(key, actorKind, actorId, id, hash, accepted);
    if (commit === null) return head;
    const [version, ...columns] = commit;
    if (version !== head + 1)
      throw logError("corrupt_log", `The commit with version ${version} cannot follow version ${head}.`);
    sql.addCommit.run(key, version, document, ...columns);
    return version;
  }

  return {
    async create(call, of, { definition, definitionVersion, state, at, parent, checkParent }) {
      const { threadId, incarnation = "" } = of;
      const columns =
        parent === undefined ? ([null, null, null] as const) : [parent.document, parent.threadId, parent.incarnation];
      const created = await writer.write<Created>(() => {
        const known = sql.findIncarnation.get(incarnation);
        if (known && Number(known["deleted"]) > 0) return { status: "deleted" };
        if (known && String(known["thread_id"]) === threadId) return { status: "created", info: infoOf(known) };
        const other = find({ threadId, incarnation: undefined });
        if (other) return { status: "taken", info: other.info };
        if (checkParent && parent && !find(parent)) return { status: "no_parent" };
        const added = sql.addThread.run(threadId, definition, at, incarnation, ...columns);
        sql.addSnapshot.run(added.lastInsertRowid, 0, definitionVersion, state);
        return { status: "created", info: mustFind(of).info };
      }, call);
      if (created.status === "created") heads.read(threadId);
      return created;
    },

    info: (call, of) => read(call, () => find(of)?.info),

    load: (call, of, range) =>
      readConsistently(call, () => {
        const found = find(of);
        const snapshot = found && snapshotBefore(sql, found.key, found.info.version);
        if (!snapshot) return undefined;
        const { items, ...more } = commits.read(found.key, {}, { ...range, after: snapshot.version });
        return { info: found.info, snapshot, commits: items, ...more };
      }),

    async append(call, of, version, basedOn, entries) {
      let moved: ThreadHead | undefined;
      const appended = await writer.write<AppendResult>(() => {
        moved = undefined;
        const found = find(of);
        if (!found && of.incarnation !== undefined) return { status: "replaced" };
        const { key, info } = found ?? mustFind(of);
        for (const [kind, actorId, id] of entries) {
          const known = receiptOf(sql, key, { kind, id: actorId }, id);
          if (known) return { status: "duplicate", receipt: known };
        }
        const { receiptFloor = 0 } = info;
        if (basedOn < receiptFloor) return { status: "expired", receiptFloor };
        if (info.version !== version) return { status: "stale", version: info.version };
        const head = entries.reduce((reached, entry) => storeEntry(key, reached, entry), version);
        if (head !== version) sql.moveHead.run(head, key);
        moved = { version: head, incarnation: info.incarnation };
        return { status: "appended" };
      }, call);
      if (moved !== undefined) heads.moved(of.threadId, moved);
      return appended;
    },

    receipt: (call, of, actor, id) =>
      read(call, () => {
        const found = find(of);
        return found && receiptOf(sql, found.key, actor, id);
      }),

    receipts: (call, of, range) => readConsistently(call, () => readReceipts(sql, find(of)?.key, range)),

    find: (call, of, filter, range) =>
      readConsistently(call, () => {
        const found = find(of);
        return found ? commits.read(found.key, filter, range) : { items: [] };
      }),

    refusals: (call, of, range) =>
      readConsistently(call, () => {
        const limits = pageLimits(range);
        const before = range.cursor === undefined ? Number.MAX_SAFE_INTEGER : cursorNumber(range.cursor);
        const found = find(of);
        const most = limits.limit === Infinity ? -1 : limits.limit + 1;
        const rows = found ? sql.readRefusals.all(found.key, before, most) : [];
        return cutPage<Row, string>(rows, limits, {
          bytes: bytesOf,
          item: (row) => String(row["document"]),
          cursor: (row) => String(row["sequence"]),
        });
      }),

    saveSnapshot: (call, of, { version, definitionVersion, state }) =>
      writer.write(() => {
        const { key, info } = mustFind(of);
        if (version < info.floor) return;
        sql.addSnapshot.run(key, version, definitionVersion, state);
        // A sweep deletes the snapshots below the floor.
        const versions = sql.snapshotVersions.all(key).map((row) => Number(row["version"]));
        for (const spare of spareSnapshots(versions.filter((stored) => stored >= info.floor)))
          sql.dropSnapshotAt.run(key, spare);
      }, call),

    snapshotAt: (call, of, version) =>
      read(call, () => {
        const found = find(of);
        return found && snapshotBefore(sql, found.key, version);
      }),

    async compact(call, of, { version, definitionVersion, state }) {
      const { key, floor } = await writer.write(() => {
        const found = mustFind(of);
        checkVersion(found.info, version, "compacted to");
        if (version <= found.info.floor) return { key: found.key, floor: found.info.floor };
        sql.addSnapshot.run(found.key, version, definitionVersion, state);
        sql.moveFloor.run(version, found.key);
        return { key: found.key, floor: version };
      }, call);
      await sweeper.sweep(key, floor);
      return floor;
    },

    async dropReceipts(call, of, version) {
      const { key, floor } = await writer.write(() => {
        const found = mustFind(of);
        const { receiptFloor = 0 } = found.info;
        checkVersion(found.info, version, "without the receipts up to");
        if (version <= receiptFloor) return { key: found.key, floor: receiptFloor };
        sql.moveReceiptFloor.run(version, found.key);
        return { key: found.key, floor: version };
      }, call);
      await sweeper.sweepReceipts(key, floor);
      return floor;
    },

    async rewrite(call, of, rows) {
      await writer.write(() => {
        const { key } = mustFind(of);
        for (const [document, version] of rows.commits) sql.rewriteCommit.run(document, key, version);
        for (const { definitionVersion, state, version } of rows.snapshots)
          sql.rewriteSnapshot.run(definitionVersion, state, key, version);
        for (const { actor, id, hash, refusal } of rows.receipts)
          if (refusal === undefined) sql.rewriteReceipt.run(hash, key, actor.kind, actor.id, id);
          else sql.rewriteRefusal.run(hash, refusal, key, actor.kind, actor.id, id);
      }, call);
      sweeper.erase();
    },

    async delete(call, of, branches) {
      let gone: readonly string[] = [];
      const deleted = await writer.write<Deleted>(() => {
        gone = [];
        const found = find(of);
        if (!found) {
          const known = of.incarnation === undefined ? undefined : sql.findIncarnation.get(of.incarnation);
          return known && Number(known["deleted"]) > 0 ? { status: "deleted", count: 0 } : { status: "unknown" };
        }
        const tree = branches === "keep" ? [found] : treeOf(sql, found);
        for (const { key } of tree) sql.markDeleted.run(key);
        gone = tree.map(({ info }) => info.threadId);
        return { status: "deleted", count: tree.length };
      }, call);
      for (const id of gone) heads.read(id);
      if (gone.length > 0) sweeper.sweepDeleted();
      return deleted;
    },

    async threads(call, range) {
      const { limit, bytes } = pageLimits(range);
      const { parent, cursor = "0" } = range;
      const [from, most] = [cursorNumber(cursor), limit === Infinity ? -1 : limit + 1];
      const rows = await read(call, () =>
        parent === undefined ? sql.pageThreads.all(from, most) : sql.pageBranches.all(parent, from, most),
      );
      return cutPage<Row, ThreadInfo>(
        rows,
        { limit, bytes },
        { bytes: bytesOf, item: infoOf, cursor: (row) => String(row["key"]) },
      );
    },

    swept: () => sweeper.idle(),
    watch: async (_, threadId) => heads.watch(threadId),
    unwatch: async (_, threadId) => heads.unwatch(threadId),

    async close() {
      heads.close();
      await writer.close();
      await sweeper.idle();
      parts.close();
    },
  };
}
