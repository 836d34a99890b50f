// The handle of one thread in SQLite: values are made documents at the call, and documents values.

import { type Commit, defined, type Refusal } from "@opstate/core";
import type { Entry, Page, StoredSnapshot, ThreadLog } from "@opstate/core/log";
import { parse, stringify } from "../log/document.ts";
import { commitColumns, documentOf } from "./columns.ts";
import type { EntryRow, SnapshotRow, StoreCalls } from "./database/store.ts";

/** Milliseconds of parsing in one turn of the event loop. */
const SLICE = 8;

export function threadLog(store: StoreCalls, threadId: string, incarnation: string | undefined): ThreadLog {
  const of = { threadId, incarnation };
  return {
    async create({ definition, definitionVersion, state, at, parent, checkParent = true }, call) {
      const row = parent && {
        document: stringify(parent),
        threadId: parent.threadId,
        incarnation: parent.incarnation,
      };
      const thread = { definition, definitionVersion, state: stringify(state), at, parent: row, checkParent };
      return store.create(call, of, thread);
    },

    info: (call) => store.info(call, of),

    async load(range = {}, call) {
      const loaded = await store.load(call, of, range);
      if (loaded === undefined) return undefined;
      const { info, snapshot, commits, next } = loaded;
      return { info, snapshot: snapshotOf(snapshot), commits: await parsed<Commit>(commits), ...defined({ next }) };
    },

    async append({ version }, entries, call) {
      const basedOn = Math.min(...entries.map((entry) => entry.basedOn ?? Infinity));
      return store.append(call, of, version, basedOn, entries.map(rowOf));
    },

    receipt: (actor, id, call) => store.receipt(call, of, actor, id),
    receipts: (range = {}, call) => store.receipts(call, of, range),
    commits: async (range = {}, call) => pageOf<Commit>(await store.find(call, of, {}, range)),
    refusals: async (range = {}, call) => pageOf<Refusal>(await store.refusals(call, of, range)),
    saveSnapshot: async (snapshot, call) => store.saveSnapshot(call, of, snapshotRow(snapshot)),

    async snapshotAt(version, call) {
      const row = await store.snapshotAt(call, of, version);
      return row && snapshotOf(row);
    },

    compact: async (snapshot, call) => store.compact(call, of, snapshotRow(snapshot)),
    dropReceipts: (version, call) => store.dropReceipts(call, of, version),

    async rewrite({ commits = [], snapshots = [], receipts = [] }, call) {
      await store.rewrite(call, of, {
        commits: commits.map((commit) => [stringify(commit), commit.version] as const),
        snapshots: snapshots.map(snapshotRow),
        receipts: receipts.map(({ actor, id, hash, outcome }) => ({
          actor,
          id,
          hash,
          ...defined({ refusal: outcome.accepted ? undefined : stringify(outcome.refusal) }),
        })),
      });
    },

    async delete({ branches = "delete" } = {}, call) {
      const deleted = await store.delete(call, of, branches);
      // The process goes on until what was deleted is erased.
      store.swept(undefined).catch(() => undefined);
      return deleted;
    },
  };
}

function rowOf(entry: Entry): EntryRow {
  const { receipt, commit } = entry;
  const { actor, id, hash, outcome } = receipt;
  return [
    actor.kind,
    actor.id,
    id,
    hash,
    outcome.accepted ? outcome.version : null,
    documentOf(entry),
    commit === undefined ? null : [commit.version, ...commitColumns(commit)],
  ];
}

function snapshotRow({ version, definitionVersion, state }: StoredSnapshot): SnapshotRow {
  return { version, definitionVersion, state: stringify(state) };
}

function snapshotOf({ version, definitionVersion, state }: SnapshotRow): StoredSnapshot {
  return { version, definitionVersion, state: parse(state) };
}

/** A page of what the store found. */
export async function pageOf<Item>({ items, next }: Page<string>): Promise<Page<Item>> {
  return { items: await parsed<Item>(items), ...defined({ next }) };
}

/** In slices, so that a long page holds up no other work. */
async function parsed<Item>(documents: readonly string[]): Promise<readonly Item[]> {
  const items: Item[] = [];
  let endsAt = performance.now() + SLICE;
  for (const document of documents) {
    items.push(parse<Item>(document));
    if (performance.now() < endsAt) continue;
    await new Promise((resolve) => setImmediate(resolve));
    endsAt = performance.now() + SLICE;
  }
  return items;
}
