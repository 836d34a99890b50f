// A log in memory: for tests, and for state that need not outlive its process.
//
// Invariant: documents are kept as JSON text, so nothing is shared with a caller, and what a disk
// would not keep is lost here too.
//
// Long because it is the whole port, one method after another.

import { OpstateError } from "../../error.ts";
import { checkedLog } from "./checked-log.ts";
import type { Commit, Refusal } from "../commit.ts";
import { findCommits, type StoredCommit, storedCommit } from "./memory-commits.ts";
import { HeadWatchers, type ThreadHead } from "./head-watchers.ts";
import type { Entry, Log, Receipt, StoredSnapshot, ThreadInfo } from "./log.ts";
import { actorKey, receiptKey } from "./receipt-key.ts";
import { randomId } from "../random-id.ts";
import { spareSnapshots } from "./thin-snapshots.ts";

export interface MemoryLogOptions {
  /** How many refusals of one actor are kept in a thread, the newest ones. Default 1,000. */
  readonly refusalsPerActor?: number;
}

interface Stored {
  readonly info: Omit<ThreadInfo, "version" | "floor">;
  /** Ascending in the order of creation. */
  readonly place: number;
  floor: number;
  /** The commit of version n at index n - 1 - floor. */
  readonly commits: StoredCommit[];
  /** By version, ascending. */
  readonly snapshots: { readonly version: number; readonly text: string }[];
  readonly receipts: Map<string, string>;
  /** Receipt keys of the refusals, oldest first. */
  readonly refusals: string[];
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
export function memoryLog(options: MemoryLogOptions = {}): Log {
  const { refusalsPerActor = 1_000 } = options;
  const threads = new Map<string, Stored>();
  const watchers = new HeadWatchers();
  let places = 0;

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
    stored.refusals.push(key);
    const actor = actorKey(receipt.actor);
    const count = (stored.refusalsOf.get(actor) ?? 0) + 1;
    stored.refusalsOf.set(actor, Math.min(count, refusalsPerActor));
    if (count <= refusalsPerActor) return;
    const [oldest] = stored.refusals.splice(
      stored.refusals.findIndex((other) => other.startsWith(actor)),
      1,
    );
    if (oldest !== undefined) stored.receipts.delete(oldest);
  }

  return checkedLog<Log>({
    async create({ threadId, definition, definitionVersion, state, at, parent }) {
      if (threads.has(threadId)) return false;
      const snapshot: StoredSnapshot = { version: 0, state, definitionVersion };
      threads.set(threadId, {
        info: {
          threadId,
          definition,
          createdAt: at,
          incarnation: randomId(),
          ...(parent === undefined ? {} : { parent: { ...parent } }),
        },
        place: (places += 1),
        floor: 0,
        commits: [],
        snapshots: [{ version: 0, text: JSON.stringify(snapshot) }],
        receipts: new Map(),
        refusals: [],
        refusalsOf: new Map(),
      });
      watchers.moved(threadId, headNow(threadId));
      return true;
    },

    async load(threadId) {
      const stored = threads.get(threadId);
      const newest = stored?.snapshots.at(-1);
      if (stored === undefined || newest === undefined) return undefined;
      return {
        info: infoOf(stored),
        snapshot: parse<StoredSnapshot>(newest.text),
        commits: stored.commits.slice(newest.version - stored.floor).map(({ text }) => parse<Commit>(text)),
      };
    },

    async append(threadId, expectedVersion, entries, incarnation) {
      const stored = find(threadId, incarnation);
      if (stored === undefined && incarnation !== undefined) return { status: "replaced" };
      if (stored === undefined) throw new Error(`The log has no thread "${threadId}".`);
      for (const { receipt } of entries) {
        const known = stored.receipts.get(receiptKey(receipt.actor, receipt.id));
        if (known !== undefined) return { status: "duplicate", receipt: parse<Receipt>(known) };
      }
      const head = headOf(stored);
      if (head !== expectedVersion) return { status: "stale", version: head };
      const commits = commitsOf(threadId, expectedVersion, entries).map(storedCommit);
      for (const commit of commits) stored.commits.push(commit);
      for (const { receipt } of entries) addReceipt(stored, receipt);
      watchers.moved(threadId, headNow(threadId));
      return { status: "appended" };
    },

    async receipt(threadId, actor, id, incarnation) {
      const text = find(threadId, incarnation)?.receipts.get(receiptKey(actor, id));
      return text === undefined ? undefined : parse<Receipt>(text);
    },

    async read(threadId, range, incarnation) {
      const stored = find(threadId, incarnation);
      return stored === undefined ? [] : findCommits(stored, range).map(({ text }) => parse<Commit>(text));
    },

    async refusals(threadId, { limit = Number.POSITIVE_INFINITY } = {}, incarnation) {
      const stored = find(threadId, incarnation);
      if (stored === undefined || limit <= 0) return [];
      return stored.refusals.slice(-limit).flatMap((key) => refusalOf(stored.receipts.get(key)));
    },

    async saveSnapshot(threadId, snapshot, incarnation) {
      const stored = mustFind(threadId, incarnation);
      if (snapshot.version < stored.floor) return;
      keepSnapshot(stored, snapshot);
      thin(stored);
    },

    async snapshotAt(threadId, version, incarnation) {
      const found = find(threadId, incarnation)?.snapshots.findLast((snapshot) => snapshot.version <= version);
      return found === undefined ? undefined : parse<StoredSnapshot>(found.text);
    },

    async compact(threadId, snapshot, incarnation) {
      const stored = mustFind(threadId, incarnation);
      const { version } = snapshot;
      if (version > headOf(stored))
        throw new RangeError(
          `Thread "${threadId}" has the versions 0 to ${headOf(stored)}, so it cannot be compacted to ${version}.`,
        );
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

    async info(threadId) {
      const stored = threads.get(threadId);
      return stored === undefined ? undefined : infoOf(stored);
    },

    async list({ parent } = {}) {
      const all = [...threads.values()].map(infoOf);
      return parent === undefined ? all : all.filter((info) => (info.parent?.threadId ?? null) === parent);
    },

    async page({ parent, after = "0", limit }) {
      const from = placeAfter(after);
      const found: Stored[] = [];
      for (const stored of threads.values()) {
        if (stored.place <= from || (parent !== undefined && (stored.info.parent?.threadId ?? null) !== parent))
          continue;
        found.push(stored);
        if (found.length === limit) return { threads: found.map(infoOf), next: String(stored.place) };
      }
      return { threads: found.map(infoOf) };
    },

    async delete(threadId, incarnation) {
      const isDeleted = find(threadId, incarnation) !== undefined && threads.delete(threadId);
      if (isDeleted) watchers.moved(threadId, undefined);
      return isDeleted;
    },

    watch: (threadId, onHead) => watchers.watch(threadId, onHead, headNow(threadId)),

    async close() {
      watchers.end();
    },
  });
}

function placeAfter(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new RangeError(`"${after.slice(0, 40)}" is no position at which a page of this log ended.`);
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
function commitsOf(threadId: string, head: number, entries: readonly Entry[]): Commit[] {
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
    ...(parent === undefined ? {} : { parent: { ...parent } }),
  };
}

function refusalOf(text: string | undefined): Refusal[] {
  const receipt = text === undefined ? undefined : parse<Receipt>(text);
  return receipt === undefined || receipt.outcome.accepted ? [] : [receipt.outcome.refusal];
}

function parse<T>(text: string): T {
  // What is stored is what `JSON.stringify` got from the port's own types.
  return JSON.parse(text) as T;
}
