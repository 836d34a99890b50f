// The handle of one thread in SQLite.
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
// (Long because it is one handle, one method after another.)

import { type Actor, defined, OpstateError, type Refusal } from "@opstate/core";
import {
  type AppendResult,
  type CallOptions,
  type Created,
  cursorNumber,
  cutPage,
  type Deleted,
  type Entry,
  pageLimits,
  type Receipt,
  spareSnapshots,
  type StoredSnapshot,
  type ThreadHead,
  type ThreadInfo,
  type ThreadLog,
} from "@opstate/core/log";
import { parse, stringify } from "../log/document.ts";
import { bytesOf, type Row, snapshotOf, threadInfoOf } from "../log/rows.ts";
import { commitColumns, documentOf } from "./columns.ts";
import type { Heads } from "./heads.ts";
import { readReceipts } from "./read-receipts.ts";
import type { CommitReader } from "./read-commits.ts";
import type { Statements } from "./statements.ts";
import type { Sweeper } from "./sweep.ts";
import type { Writer } from "./writer.ts";

export interface SqliteParts {
  readonly path: string;
  readonly sql: Statements;
  readonly writer: Writer;
  readonly commits: CommitReader;
  readonly heads: Heads;
  readonly sweeper: Sweeper;
  readonly refusalsPerActor: number;
  /** Tried again while the file is locked. */
  read<T>(query: () => T, call: CallOptions | undefined): Promise<T>;
  /** The same, of one moment. */
  readConsistently<T>(query: () => T, call: CallOptions | undefined): Promise<T>;
}

export interface Found {
  readonly key: number;
  readonly info: ThreadInfo;
}

export function infoOf(row: Row): ThreadInfo {
  return threadInfoOf(row, String(row["thread_id"]));
}

/** The thread of the name, of the given incarnation if there is one. */
export function findThread(sql: Statements, threadId: string, incarnation: string | undefined): Found | undefined {
  const row = sql.findThread.get(threadId);
  const info = row && infoOf(row);
  return info && (incarnation === undefined || incarnation === info.incarnation)
    ? { key: Number(row["key"]), info }
    : undefined;
}

export function threadLog(parts: SqliteParts, threadId: string, incarnation: string | undefined): ThreadLog {
  const { path, sql, writer, commits, heads, sweeper, refusalsPerActor, read, readConsistently } = parts;
  const find = () => findThread(sql, threadId, incarnation);

  function mustFind(): Found {
    const found = find();
    if (found) return found;
    throw new Error(
      `The log "${path}" has no thread "${threadId}"${incarnation === undefined ? "" : ` of incarnation ${incarnation}`}.`,
    );
  }

  function checkVersion({ version: head }: ThreadInfo, version: number, what: string): void {
    if (version > head)
      throw new RangeError(`Thread "${threadId}" has the versions 0 to ${head}, so it cannot be ${what} ${version}.`);
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

  /** The thread with its branches, and theirs. */
  function treeOf(root: Found): readonly Found[] {
    const tree = [root];
    for (const { info } of tree)
      for (const row of sql.findBranches.all(info.threadId, info.incarnation))
        tree.push({ key: Number(row["key"]), info: infoOf(row) });
    return tree;
  }

  return {
    async create({ definition, definitionVersion, state, at, parent, checkParent = true }, call) {
      const own = incarnation ?? "";
      const document = stringify(state);
      const columns =
        parent === undefined ? ([null, null, null] as const) : [stringify(parent), parent.threadId, parent.incarnation];
      const origin = parent && { ...parent };
      const created = await writer.write<Created>(() => {
        const known = sql.findIncarnation.get(own);
        if (known && Number(known["deleted"]) > 0) return { status: "deleted" };
        if (known && String(known["thread_id"]) === threadId) return { status: "created", info: infoOf(known) };
        const other = findThread(sql, threadId, undefined);
        if (other) return { status: "taken", info: other.info };
        if (checkParent && origin && !findThread(sql, origin.threadId, origin.incarnation))
          return { status: "no_parent" };
        const added = sql.addThread.run(threadId, definition, at, own, ...columns);
        sql.addSnapshot.run(added.lastInsertRowid, 0, definitionVersion, document);
        return { status: "created", info: mustFind().info };
      }, call);
      if (created.status === "created") heads.read(threadId);
      return created;
    },

    info: (call) => read(() => find()?.info, call),

    load: (range = {}, call) =>
      readConsistently(() => {
        const found = find();
        const snapshot = found && snapshotBefore(found.key, found.info.version);
        if (!snapshot) return undefined;
        const { items, next } = commits.read(found.key, {}, { ...range, after: snapshot.version });
        return { info: found.info, snapshot, commits: items, ...defined({ next }) };
      }, call),

    async append({ version }, entries, call) {
      const documents = entries.map(documentOf);
      const based = entries.map(({ basedOn = Infinity }) => basedOn);
      let moved: ThreadHead | undefined;
      const appended = await writer.write<AppendResult>(() => {
        moved = undefined;
        const found = find();
        if (!found && incarnation !== undefined) return { status: "replaced" };
        const { key, info } = found ?? mustFind();
        for (const { receipt } of entries) {
          const known = receiptOf(key, receipt.actor, receipt.id);
          if (known) return { status: "duplicate", receipt: known };
        }
        const { receiptFloor = 0 } = info;
        if (Math.min(...based) < receiptFloor) return { status: "expired", receiptFloor };
        if (info.version !== version) return { status: "stale", version: info.version };
        const head = entries.reduce(
          (reached, entry, index) => store(key, reached, entry, documents[index] ?? ""),
          version,
        );
        if (head !== version) sql.moveHead.run(head, key);
        moved = { version: head, incarnation: info.incarnation };
        return { status: "appended" };
      }, call);
      if (moved !== undefined) heads.moved(threadId, moved);
      return appended;
    },

    receipt: (actor, id, call) =>
      read(() => {
        const found = find();
        return found && receiptOf(found.key, actor, id);
      }, call),

    receipts: (range = {}, call) => readConsistently(() => readReceipts(sql, find()?.key, range), call),

    commits: (range = {}, call) =>
      readConsistently(() => {
        const found = find();
        return found ? commits.read(found.key, {}, range) : { items: [] };
      }, call),

    refusals: (range = {}, call) =>
      readConsistently(() => {
        const limits = pageLimits(range);
        const before = range.cursor === undefined ? Number.MAX_SAFE_INTEGER : cursorNumber(range.cursor);
        const found = find();
        const most = limits.limit === Infinity ? -1 : limits.limit + 1;
        const rows = found ? sql.readRefusals.all(found.key, before, most) : [];
        return cutPage<Row, Refusal>(rows, limits, {
          bytes: bytesOf,
          item: (row) => parse<Refusal>(row["document"]),
          cursor: (row) => String(row["sequence"]),
        });
      }, call),

    async saveSnapshot({ version, state, definitionVersion }, call) {
      const document = stringify(state);
      return writer.write(() => {
        const { key, info } = mustFind();
        if (version < info.floor) return;
        sql.addSnapshot.run(key, version, definitionVersion, document);
        // A sweep deletes the snapshots below the floor.
        const versions = sql.snapshotVersions.all(key).map((row) => Number(row["version"]));
        for (const spare of spareSnapshots(versions.filter((stored) => stored >= info.floor)))
          sql.dropSnapshotAt.run(key, spare);
      }, call);
    },

    snapshotAt: (version, call) =>
      read(() => {
        const found = find();
        return found && snapshotBefore(found.key, version);
      }, call),

    async compact({ version, state, definitionVersion }, call) {
      const document = stringify(state);
      const { key, floor } = await writer.write(() => {
        const found = mustFind();
        checkVersion(found.info, version, "compacted to");
        if (version <= found.info.floor) return { key: found.key, floor: found.info.floor };
        sql.addSnapshot.run(found.key, version, definitionVersion, document);
        sql.moveFloor.run(version, found.key);
        return { key: found.key, floor: version };
      }, call);
      await sweeper.sweep(key, floor);
      return floor;
    },

    async dropReceipts(version, call) {
      const { key, floor } = await writer.write(() => {
        const found = mustFind();
        const { receiptFloor = 0 } = found.info;
        checkVersion(found.info, version, "without the receipts up to");
        if (version <= receiptFloor) return { key: found.key, floor: receiptFloor };
        sql.moveReceiptFloor.run(version, found.key);
        return { key: found.key, floor: version };
      }, call);
      await sweeper.sweepReceipts(key, floor);
      return floor;
    },

    async rewrite({ commits: newCommits = [], snapshots = [], receipts = [] }, call) {
      const documents = newCommits.map((commit) => [stringify(commit), commit.version] as const);
      const states = snapshots.map(
        (given) => [given.definitionVersion, stringify(given.state), given.version] as const,
      );
      const verdicts = receipts.map(({ actor, id, hash, outcome }) => ({
        owner: [actor.kind, actor.id, id] as const,
        hash,
        refusal: outcome.accepted ? undefined : stringify(outcome.refusal),
      }));
      await writer.write(() => {
        const { key } = mustFind();
        for (const [document, version] of documents) sql.rewriteCommit.run(document, key, version);
        for (const [definitionVersion, state, version] of states)
          sql.rewriteSnapshot.run(definitionVersion, state, key, version);
        for (const { owner, hash, refusal } of verdicts)
          if (refusal === undefined) sql.rewriteReceipt.run(hash, key, ...owner);
          else sql.rewriteRefusal.run(hash, refusal, key, ...owner);
      }, call);
      sweeper.erase();
    },

    async delete({ branches = "delete" } = {}, call) {
      let gone: readonly string[] = [];
      const deleted = await writer.write<Deleted>(() => {
        gone = [];
        const found = find();
        if (!found) {
          const known = incarnation === undefined ? undefined : sql.findIncarnation.get(incarnation);
          return known && Number(known["deleted"]) > 0 ? { status: "deleted", count: 0 } : { status: "unknown" };
        }
        const tree = branches === "keep" ? [found] : treeOf(found);
        for (const { key } of tree) sql.markDeleted.run(key);
        gone = tree.map(({ info }) => info.threadId);
        return { status: "deleted", count: tree.length };
      }, call);
      for (const id of gone) heads.read(id);
      if (gone.length > 0) sweeper.sweepDeleted();
      return deleted;
    },
  };
}
