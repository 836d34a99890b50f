// A log in memory: for tests, and for state that need not outlive its process.
//
// Invariant: documents are kept as JSON text, so nothing is shared with a caller, and what a disk
// would not keep is lost here too.
//
// Long because it is the whole port, one method after another.

import { OpstateError } from "../../../error.ts";
import type { Commit, Refusal } from "../../commit.ts";
import type { CommitFilter, CommitRange, LogAdapter, Page } from "../adapter.ts";
import { createLog } from "../create-log.ts";
import { utf8Bytes } from "../entry-size.ts";
import { findCommits, type StoredCommit, storedCommit } from "./memory-commits.ts";
import { HeadWatchers, type ThreadHead } from "../head-watchers.ts";
import type { Entry, Receipt, StoredSnapshot, ThreadInfo, WatchedLog } from "../log.ts";
import { commitSpan, cursorNumber, cutPage, pageLimits } from "../pages.ts";
import { actorKey, receiptKey } from "../receipt-key.ts";
import { spareSnapshots } from "../thin-snapshots.ts";

export interface MemoryLogOptions {
  /** How many refusals of one actor are kept in a thread, the newest ones. Default 1,000. */
  readonly refusalsPerActor?: number;
}

interface Stored {
  readonly info: Omit<ThreadInfo, "version" | "floor">;
  /** Ascending in the order of creation. */
  readonly place: number;
  floor: number;
  receiptFloor: number;
  /** The commit of version n at index n - 1 - floor. */
  readonly commits: StoredCommit[];
  /** By version, ascending. */
  readonly snapshots: { readonly version: number; readonly text: string }[];
  readonly receipts: Map<string, string>;
  /** Receipt keys of the refusals, oldest first, each with its place in the order. */
  readonly refusals: { readonly key: string; readonly place: number }[];
  readonly refusalsOf: Map<string, number>;
}

/**
 * A log that lives as long as its process.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const log = memoryLog();
 * const thread = await openThread({ definition: counter, log, threadId: "visits" });
 * await thread.dispatch(counter.op.add({ by: 2 }), { actor: { kind: "user", id: "ada" } });
 * (await log.read("visits", { after: 0 })).length; // 1
 * ```
 */
export function memoryLog(options: MemoryLogOptions = {}): WatchedLog {
  const { refusalsPerActor = 1_000 } = options;
  const threads = new Map<string, Stored>();
  /** The ids of the threads that are there. */
  const incarnations = new Map<string, string>();
  /** Incarnations do not come back. */
  const deleted = new Set<string>();
  const watchers = new HeadWatchers();
  let places = 0;
  let refusalPlaces = 0;

  function headNow(threadId: string): ThreadHead | undefined {
    const stored = threads.get(threadId);
    return stored && { version: headOf(stored), incarnation: stored.info.incarnation };
  }

  /** The thread of the id, if it is of the incarnation. */
  function find(threadId: string, incarnation: string | undefined): Stored | undefined {
    const stored = threads.get(threadId);
    return incarnation === undefined || stored?.info.incarnation === incarnation ? stored : undefined;
  }

  function mustFind(threadId: string, incarnation: string | undefined): Stored {
    const stored = find(threadId, incarnation);
    if (stored === undefined)
      throw new Error(
        `The log has no thread "${threadId}"${incarnation === undefined ? "" : ` of incarnation ${incarnation}`}.`,
      );
    return stored;
  }

  function addReceipt(stored: Stored, receipt: Receipt): void {
    const key = receiptKey(receipt.actor, receipt.id);
    stored.receipts.set(key, JSON.stringify(receipt));
    if (receipt.outcome.accepted) return;
    stored.refusals.push({ key, place: (refusalPlaces += 1) });
    const actor = actorKey(receipt.actor);
    const count = (stored.refusalsOf.get(actor) ?? 0) + 1;
    stored.refusalsOf.set(actor, Math.min(count, refusalsPerActor));
    if (count <= refusalsPerActor) return;
    const [oldest] = stored.refusals.splice(
      stored.refusals.findIndex((other) => other.key.startsWith(actor)),
      1,
    );
    if (oldest !== undefined) stored.receipts.delete(oldest.key);
  }

  /** The thread of this incarnation with its branches, and theirs. */
  function treeOf(stored: Stored): readonly Stored[] {
    const tree = [stored];
    for (const { info } of tree)
      for (const other of threads.values())
        if (other.info.parent?.threadId === info.threadId && other.info.parent.incarnation === info.incarnation)
          tree.push(other);
    return tree;
  }

  function commitsOf(stored: Stored | undefined, filter: CommitFilter, range: CommitRange): Page<Commit> {
    const limits = pageLimits(range);
    const { cursor: _, ...span } = { ...range, ...commitSpan(range) };
    const found = stored === undefined ? [] : findCommits(stored, { ...filter, ...span, limit: limits.limit + 1 });
    return cutPage(found, limits, {
      bytes: ({ text }) => (limits.bytes === Infinity ? 0 : utf8Bytes(text)),
      item: ({ text }) => parse<Commit>(text),
      cursor: ({ version }) => String(version),
    });
  }

  const adapter: LogAdapter & Required<Pick<LogAdapter, "finder" | "watch">> = {
    limits: { entries: Infinity, bytes: Infinity },

    finder: {
      async find({ threadId, incarnation }, filter, range = {}) {
        return commitsOf(find(threadId, incarnation), filter, range);
      },
    },

    thread: (threadId, incarnation) => ({
      async create({ definition, definitionVersion, state, at, parent, checkParent = true }) {
        if (incarnation === undefined || deleted.has(incarnation)) return { status: "deleted" };
        const known = threads.get(threadId);
        if (known !== undefined)
          return { status: known.info.incarnation === incarnation ? "created" : "taken", info: infoOf(known) };
        const namesake = incarnations.get(incarnation);
        if (namesake !== undefined) throw new Error(`Thread "${namesake}" has that incarnation.`);
        if (checkParent && parent !== undefined && find(parent.threadId, parent.incarnation) === undefined)
          return { status: "no_parent" };
        const snapshot: StoredSnapshot = { version: 0, state, definitionVersion };
        const stored: Stored = {
          info: {
            threadId,
            definition,
            createdAt: at,
            incarnation,
            ...(parent === undefined ? {} : { parent: { ...parent } }),
          },
          place: (places += 1),
          floor: 0,
          receiptFloor: 0,
          commits: [],
          snapshots: [{ version: 0, text: JSON.stringify(snapshot) }],
          receipts: new Map(),
          refusals: [],
          refusalsOf: new Map(),
        };
        threads.set(threadId, stored);
        incarnations.set(incarnation, threadId);
        watchers.moved(threadId, headNow(threadId));
        return { status: "created", info: infoOf(stored) };
      },

      async info() {
        const stored = find(threadId, incarnation);
        return stored && infoOf(stored);
      },

      async load(range = {}) {
        const stored = find(threadId, incarnation);
        const newest = stored?.snapshots.at(-1);
        if (stored === undefined || newest === undefined) return undefined;
        const { items, next } = commitsOf(stored, {}, { ...range, after: newest.version });
        return {
          info: infoOf(stored),
          snapshot: parse<StoredSnapshot>(newest.text),
          commits: items,
          ...(next === undefined ? {} : { next }),
        };
      },

      async append({ version }, entries) {
        const stored = find(threadId, incarnation);
        if (stored === undefined && incarnation !== undefined) return { status: "replaced" };
        if (stored === undefined) throw new Error(`The log has no thread "${threadId}".`);
        for (const { receipt } of entries) {
          const known = stored.receipts.get(receiptKey(receipt.actor, receipt.id));
          if (known !== undefined) return { status: "duplicate", receipt: parse<Receipt>(known) };
        }
        const { receiptFloor } = stored;
        if (entries.some(({ basedOn = receiptFloor }) => basedOn < receiptFloor))
          return { status: "expired", receiptFloor };
        const head = headOf(stored);
        if (head !== version) return { status: "stale", version: head };
        const commits = followingCommits(threadId, version, entries).map(storedCommit);
        for (const commit of commits) stored.commits.push(commit);
        for (const { receipt } of entries) addReceipt(stored, receipt);
        watchers.moved(threadId, headNow(threadId));
        return { status: "appended" };
      },

      async receipt(actor, id) {
        const text = find(threadId, incarnation)?.receipts.get(receiptKey(actor, id));
        return text === undefined ? undefined : parse<Receipt>(text);
      },

      async receipts(range = {}) {
        const limits = pageLimits(range);
        const keys = [...(find(threadId, incarnation)?.receipts ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1));
        const { cursor } = range;
        const rest = cursor === undefined ? keys : keys.filter(([key]) => key > cursor);
        return cutPage(rest, limits, {
          bytes: ([, text]) => utf8Bytes(text),
          item: ([, text]) => parse<Receipt>(text),
          cursor: ([key]) => key,
        });
      },

      async commits(range = {}) {
        return commitsOf(find(threadId, incarnation), {}, range);
      },

      async refusals(range = {}) {
        const limits = pageLimits(range);
        const before = range.cursor === undefined ? Infinity : cursorNumber(range.cursor);
        const stored = find(threadId, incarnation);
        const newest = (stored?.refusals ?? []).filter(({ place }) => place < before).reverse();
        return cutPage(newest, limits, {
          bytes: ({ key }) => utf8Bytes(stored?.receipts.get(key) ?? ""),
          item: ({ key }) => refusalOf(stored?.receipts.get(key)),
          cursor: ({ place }) => String(place),
        });
      },

      async saveSnapshot(snapshot) {
        const stored = mustFind(threadId, incarnation);
        if (snapshot.version < stored.floor) return;
        keepSnapshot(stored, snapshot);
        thin(stored);
      },

      async snapshotAt(version) {
        const found = find(threadId, incarnation)?.snapshots.findLast((snapshot) => snapshot.version <= version);
        return found === undefined ? undefined : parse<StoredSnapshot>(found.text);
      },

      async compact(snapshot) {
        const stored = mustFind(threadId, incarnation);
        const { version } = snapshot;
        checkVersion(stored, version, "compacted to");
        if (version <= stored.floor) return stored.floor;
        keepSnapshot(stored, snapshot);
        stored.snapshots.splice(
          0,
          stored.snapshots.findIndex((kept) => kept.version === version),
        );
        stored.commits.splice(0, version - stored.floor);
        stored.floor = version;
        return version;
      },

      async dropReceipts(version) {
        const stored = mustFind(threadId, incarnation);
        checkVersion(stored, version, "without the receipts up to");
        if (version <= stored.receiptFloor) return stored.receiptFloor;
        stored.receiptFloor = version;
        for (const [key, text] of stored.receipts)
          if (versionOf(parse<Receipt>(text)) <= version) stored.receipts.delete(key);
        const kept = stored.refusals.filter(({ key }) => stored.receipts.has(key));
        stored.refusals.splice(0, stored.refusals.length, ...kept);
        stored.refusalsOf.clear();
        for (const { key } of kept) {
          const actor = actorKey(parse<Receipt>(stored.receipts.get(key) ?? "").actor);
          stored.refusalsOf.set(actor, (stored.refusalsOf.get(actor) ?? 0) + 1);
        }
        return version;
      },

      async rewrite({ commits = [], snapshots = [], receipts = [] }) {
        const stored = mustFind(threadId, incarnation);
        for (const commit of commits) {
          const index = commit.version - 1 - stored.floor;
          if (stored.commits[index] !== undefined) stored.commits[index] = storedCommit(commit);
        }
        for (const snapshot of snapshots)
          if (stored.snapshots.some(({ version }) => version === snapshot.version)) keepSnapshot(stored, snapshot);
        for (const receipt of receipts) {
          const key = receiptKey(receipt.actor, receipt.id);
          if (stored.receipts.has(key)) stored.receipts.set(key, JSON.stringify(receipt));
        }
      },

      async delete({ branches = "delete" } = {}) {
        const stored = find(threadId, incarnation);
        if (stored === undefined)
          return incarnation !== undefined && deleted.has(incarnation)
            ? { status: "deleted", count: 0 }
            : { status: "unknown" };
        const tree = branches === "keep" ? [stored] : treeOf(stored);
        for (const { info } of tree) {
          threads.delete(info.threadId);
          incarnations.delete(info.incarnation);
          deleted.add(info.incarnation);
          watchers.moved(info.threadId, undefined);
        }
        return { status: "deleted", count: tree.length };
      },
    }),

    async threads(range = {}) {
      const limits = pageLimits(range);
      const { parent, cursor = "0" } = range;
      const from = cursorNumber(cursor);
      const listed = function* () {
        for (const stored of threads.values())
          if (stored.place > from && (parent === undefined || (stored.info.parent?.threadId ?? null) === parent))
            yield { place: stored.place, info: infoOf(stored) };
      };
      return cutPage(listed(), limits, {
        bytes: ({ info }) => utf8Bytes(JSON.stringify(info)),
        item: ({ info }) => info,
        cursor: ({ place }) => String(place),
      });
    },

    watch: (threadId, onHead) => watchers.watch(threadId, onHead, headNow(threadId)),

    async close() {
      watchers.end();
    },
  };
  return createLog(adapter);
}

/** Throws a RangeError for a version that the thread does not have. */
function checkVersion(stored: Stored, version: number, what: string): void {
  if (version > headOf(stored))
    throw new RangeError(
      `Thread "${stored.info.threadId}" has the versions 0 to ${headOf(stored)}, so it cannot be ${what} ${version}.`,
    );
}

function versionOf({ outcome }: Receipt): number {
  return outcome.accepted ? outcome.version : outcome.refusal.version;
}

function headOf({ floor, commits }: Stored): number {
  return floor + commits.length;
}

function keepSnapshot({ snapshots }: Stored, snapshot: StoredSnapshot): void {
  const entry = { version: snapshot.version, text: JSON.stringify(snapshot) };
  const index = snapshots.findLastIndex(({ version }) => version <= snapshot.version);
  snapshots.splice(index + 1, 0, entry);
  if (snapshots[index]?.version === snapshot.version) snapshots.splice(index, 1);
}

function thin({ snapshots }: Stored): void {
  const spare = new Set(spareSnapshots(snapshots.map(({ version }) => version)));
  if (spare.size > 0) snapshots.splice(0, snapshots.length, ...snapshots.filter(({ version }) => !spare.has(version)));
}

/** The commits of a batch, once it is sure that all of it can be stored. */
function followingCommits(threadId: string, head: number, entries: readonly Entry[]): Commit[] {
  const commits = entries.flatMap(({ commit }) => (commit === undefined ? [] : [commit]));
  for (const [index, { version }] of commits.entries()) {
    if (version !== head + index + 1)
      throw new OpstateError(
        "corrupt_log",
        `The commit with version ${version} cannot follow version ${head + index} of thread "${threadId}".`,
      );
  }
  const ids = new Set(entries.map(({ receipt }) => receiptKey(receipt.actor, receipt.id)));
  if (ids.size < entries.length)
    throw new OpstateError("corrupt_log", `A batch for thread "${threadId}" holds an actor's id twice.`);
  return commits;
}

function infoOf(stored: Stored): ThreadInfo {
  const { parent, ...info } = stored.info;
  return {
    ...info,
    version: headOf(stored),
    floor: stored.floor,
    ...(stored.receiptFloor === 0 ? {} : { receiptFloor: stored.receiptFloor }),
    ...(parent === undefined ? {} : { parent: { ...parent } }),
  };
}

function refusalOf(text: string | undefined): Refusal {
  const { outcome } = parse<Receipt>(text ?? "");
  if (outcome.accepted) throw new OpstateError("corrupt_log", "An accepted submission is listed as a refusal.");
  return outcome.refusal;
}

function parse<T>(text: string): T {
  // What is stored is what `JSON.stringify` got from the port's own types.
  return JSON.parse(text) as T;
}
