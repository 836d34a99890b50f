// The handle of one thread in Postgres.

import { defined, type Refusal } from "@opstate/core";
import {
  type CallOptions,
  cursorNumber,
  cutPage,
  pageLimits,
  type StoredSnapshot,
  type ThreadLog,
} from "@opstate/core/log";
import { parse, stringify } from "../log/document.ts";
import { bytesOf, snapshotOf } from "../log/rows.ts";
import {
  missingThread,
  moveFloor,
  moveReceiptFloor,
  sweep,
  sweepDeleted,
  sweepReceipts,
  thinSnapshots,
} from "./compact.ts";
import type { Query } from "./database.ts";
import { infoOf } from "./info.ts";
import { readCommits } from "./read-commits.ts";
import { receiptOf, storedEntry, storedReceipt } from "./receipts.ts";
import type { Statements } from "./statements.ts";
import { storedCommit } from "./stored-commit.ts";
import { escapeId } from "./stored-id.ts";
import { createThread, deleteTree, type Target } from "./tree.ts";
import type { Work } from "./work.ts";
import type { Writer } from "./writer.ts";

export interface PostgresParts {
  readonly sql: Statements;
  readonly work: Work;
  readonly writer: Writer;
}

export function threadLog({ sql, work, writer }: PostgresParts, target: Target): ThreadLog {
  const { threadId, incarnation } = target;
  const id = escapeId(threadId);
  const fence = incarnation ?? null;

  async function findSnapshot(query: Query, version: number): Promise<StoredSnapshot | undefined> {
    const [row] = await query(sql.findSnapshot, [id, version, fence]);
    return row && snapshotOf(row);
  }

  function run<T>(call: CallOptions | undefined, ask: (query: Query) => Promise<T>): Promise<T> {
    return work.run(({ query }) => ask(query), call);
  }

  return {
    async create(thread, call) {
      const document = stringify(thread.state);
      const made = { ...thread, ...defined({ parent: thread.parent && { ...thread.parent } }) };
      return work.run(
        (database) => createThread(database, sql, { threadId, incarnation: incarnation ?? "" }, made, document),
        call,
      );
    },

    info: (call) =>
      run(call, async (query) => {
        const [row] = await query(sql.findThread, [id, fence]);
        return row && infoOf(row);
      }),

    load: (range = {}, call) =>
      work.run(
        ({ transaction }) =>
          transaction(async (query) => {
            const [row] = await query(sql.findThread, [id, fence]);
            const info = row && infoOf(row);
            const snapshot = info && (await findSnapshot(query, info.version));
            if (!snapshot) return undefined;
            const { items, next } = await readCommits(query, sql, target, {}, { ...range, after: snapshot.version });
            return { info, snapshot, commits: items, ...defined({ next }) };
          }, "REPEATABLE READ READ ONLY"),
        call,
      ),

    async append({ version, epoch }, entries, call) {
      work.checkOpen();
      const based = entries.flatMap(({ basedOn }) => basedOn ?? []);
      const basedOn = based.length === 0 ? undefined : Math.min(...based);
      return writer.append(
        target,
        { expectedVersion: version, basedOn, epoch, entries: entries.map(storedEntry) },
        call,
      );
    },

    receipt: (actor, submission, call) =>
      run(call, async (query) => {
        const values = [id, [escapeId(actor.kind)], [escapeId(actor.id)], [escapeId(submission)], fence];
        const rows = await query(sql.findKnown, values);
        const row = rows.find((found) => found["id"] !== null);
        return row && receiptOf(storedReceipt(row));
      }),

    receipts: (range = {}, call) =>
      run(call, async (query) => {
        const limits = pageLimits(range);
        const from = range.cursor === undefined ? ["", "", ""] : parse<readonly string[]>(range.cursor);
        const rows = await query(sql.readReceipts, [id, fence, ...from, upTo(limits.limit)]);
        return cutPage(rows, limits, {
          bytes: bytesOf,
          item: (row) => receiptOf(storedReceipt(row)),
          cursor: (row) => JSON.stringify([row["actor_kind"], row["actor_id"], row["id"]]),
        });
      }),

    commits: (range = {}, call) => run(call, (query) => readCommits(query, sql, target, {}, range)),

    refusals: (range = {}, call) =>
      run(call, async (query) => {
        const limits = pageLimits(range);
        const before = range.cursor === undefined ? Number.MAX_SAFE_INTEGER : cursorNumber(range.cursor);
        const rows = await query(sql.readRefusals, [id, upTo(limits.limit), fence, before]);
        return cutPage(rows, limits, {
          bytes: bytesOf,
          item: (row) => parse<Refusal>(row["refusal"]),
          cursor: (row) => String(row["sequence"]),
        });
      }),

    async saveSnapshot({ version, state, definitionVersion }, call) {
      const values = [id, version, definitionVersion, stringify(state), fence];
      const [head] = await run(call, (query) => query(sql.addSnapshot, values));
      if (!head) throw missingThread(threadId, incarnation);
      await work.runInBackground((query) =>
        thinSnapshots(query, sql, { key: Number(head["key"]), floor: Number(head["floor"]) }),
      );
    },

    snapshotAt: (version, call) => run(call, (query) => findSnapshot(query, version)),

    async compact({ version, state, definitionVersion }, call) {
      const document = stringify(state);
      const compaction = await run(call, (query) =>
        moveFloor(query, sql, threadId, { version, definitionVersion }, document, incarnation),
      );
      // The floor has moved, even if the sweep fails.
      await work.runInBackground((query, stopped) => sweep(query, sql, compaction, stopped));
      return compaction.floor;
    },

    async dropReceipts(version, call) {
      const moved = await run(call, (query) => moveReceiptFloor(query, sql, threadId, version, incarnation));
      await work.runInBackground((query, stopped) => sweepReceipts(query, sql, moved, stopped));
      return moved.floor;
    },

    async rewrite({ commits = [], snapshots = [], receipts = [] }, call) {
      const newCommits = commits.map(storedCommit);
      const states = snapshots.map(({ state }) => stringify(state));
      const entries = receipts.map((receipt) => storedEntry({ receipt }));
      await work.run(
        ({ transaction }) =>
          transaction(async (query) => {
            const [row] = await query(sql.findThread, [id, fence]);
            if (!row) throw missingThread(threadId, incarnation);
            const key = row["key"];
            if (newCommits.length > 0)
              await query(sql.rewriteCommits, [
                key,
                newCommits.map(({ version }) => version),
                newCommits.map(({ document }) => document),
              ]);
            if (snapshots.length > 0)
              await query(sql.rewriteSnapshots, [
                key,
                snapshots.map(({ version }) => version),
                snapshots.map(({ definitionVersion }) => definitionVersion),
                states,
              ]);
            if (entries.length > 0)
              await query(sql.rewriteReceipts, [
                key,
                entries.map(({ actorKind }) => actorKind),
                entries.map(({ actorId }) => actorId),
                entries.map((entry) => entry.id),
                entries.map(({ hash }) => hash),
                entries.map(({ refusal }) => refusal),
              ]);
          }),
        call,
      );
    },

    async delete({ branches = "delete" } = {}, call) {
      const deleted = await work.run((database) => deleteTree(database, sql, target, branches === "delete"), call);
      if (deleted.status === "deleted" && deleted.count > 0)
        void work.runInBackground((query, stopped) => sweepDeleted(query, sql, stopped));
      return deleted;
    },
  };
}

/** One more than the page holds says whether there is a next one; null: no limit. */
function upTo(limit: number): number | null {
  return limit === Infinity ? null : limit + 1;
}
