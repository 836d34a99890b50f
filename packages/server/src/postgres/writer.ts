// Stores appends. The queued appends of one thread (of one incarnation, if they name it) share one
// transaction. Threads run side by side on the pool.
//
//   queue -> group -> plan -> one statement: UPDATE head WHERE version = expected
//                      ^       |  updated: commits and receipts are stored with it, done
//                      |       |  not updated: another node was first
//                      |       v
//                      +------ read head and receipts
//
// Invariants:
// - An append resolves only after its transaction committed.
// - The update of the head is the fence, by its version and its epoch. Behind it, the primary keys
//   of commits and receipts hold.
// - Appends of one thread are stored in call order.
// - The usual group costs one statement: the first plan assumes that no other node wrote. The head
//   and the known receipts are read only when the fence refuses it.

import { OpstateError } from "@opstate/core";
import { type AppendResult, type CallOptions, withinCall } from "@opstate/core/log";
import { type Database, isUniqueViolation, type Query, withRetries } from "./database.ts";
import { missingThread } from "./compact.ts";
import { newestRefusals, type QueuedAppend, refusalPositions, takeGroup } from "./group.ts";
import type { Head } from "./heads.ts";
import { type Append, type AppendPlan, planAppends, type ThreadView } from "./plan-appends.ts";
import { storedReceiptKey, type StoredEntry, storedReceipt } from "./receipts.ts";
import { columnsOf } from "./stored-commit.ts";
import type { Statements } from "./statements.ts";
import { escapeId } from "./stored-id.ts";

/**
 * Attempts per group. After a refused attempt the head has moved, and then most appends are stale
 * or duplicates. So a few attempts are enough.
 */
const ATTEMPT_LIMIT = 10;

/** The thread of an append: any of the name, or the one of an incarnation. */
interface Target {
  readonly threadId: string;
  readonly incarnation: string | undefined;
}

/** What the head line must say for a write to be stored. */
interface Fence {
  readonly expected: number;
  /** Its receipt floor is no higher. */
  readonly basedOn: number;
  /** Its epoch is no later. */
  readonly epoch: number;
}

export interface WriterOptions {
  readonly database: Database;
  readonly statements: Statements;
  readonly refusalsPerActor: number;
  /** A call with a deadline. */
  limited(call?: CallOptions): CallOptions;
  /** Resolves when the tables can be used. */
  ready(): Promise<void>;
  /** Called after a transaction that moved the head of a thread. */
  onHead(head: Head): void;
}

export class Writer {
  readonly #options: WriterOptions;
  readonly #queues = new Map<string, QueuedAppend[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Queues the append. Resolves when its transaction committed. */
  append(target: Target, append: Append, given?: CallOptions): Promise<AppendResult> {
    const call = this.#options.limited(given);
    return withinCall(call, () => this.#enqueue(target, append, call));
  }

  #enqueue(target: Target, append: Append, call: CallOptions): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      const queued = { ...append, call, resolve, reject };
      const name = JSON.stringify([target.threadId, target.incarnation]);
      const queue = this.#queues.get(name);
      if (queue) {
        queue.push(queued);
        return;
      }
      const own = [queued];
      this.#queues.set(name, own);
      const done = this.#run(name, target, own).finally(() => this.#running.delete(done));
      this.#running.add(done);
    });
  }

  /** Resolves when the queues are empty. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(name: string, target: Target, queue: QueuedAppend[]): Promise<void> {
    // Appends that are called in this turn join the first group.
    await Promise.resolve();
    while (queue.length > 0) {
      const group = takeGroup(queue);
      if (group.length === 0) continue;
      // The call of a group is its own: one of its appends may have less time than the others.
      const call = this.#options.limited();
      try {
        const outcomes = await withinCall(call, () =>
          withRetries(async () => {
            await this.#options.ready();
            return this.#storeGroup(this.#options.database.within(call), target, group);
          }, call),
        );
        for (const [index, { resolve, reject }] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined || outcome instanceof OpstateError) reject(outcome);
          else resolve(outcome);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#queues.delete(name);
  }

  async #storeGroup(database: Database, target: Target, group: readonly Append[]): Promise<AppendPlan["outcomes"]> {
    const view = { head: group[0]?.expectedVersion ?? 0, receiptFloor: 0, epoch: 0, known: new Map() };
    const optimistic = planAppends(group, view);
    const epoch = group.reduce((oldest, append) => Math.min(oldest, append.epoch ?? oldest), Number.MAX_SAFE_INTEGER);
    const basedOn = group.reduce(
      (oldest, append) => Math.min(oldest, append.basedOn ?? oldest),
      Number.MAX_SAFE_INTEGER,
    );
    const allAppended = optimistic.outcomes.every(
      (outcome) => !(outcome instanceof OpstateError) && outcome.status === "appended",
    );
    if (allAppended && (await this.#store(database, target, optimistic, { expected: view.head, basedOn, epoch })))
      return optimistic.outcomes;
    for (let attempt = 0; attempt < ATTEMPT_LIMIT; attempt += 1) {
      const now = await this.#readView(database, target, group);
      if (now === undefined) return group.map(() => ({ status: "replaced" }));
      const plan = planAppends(group, now);
      // What the plan takes is based on the receipt floor that it saw, or on later versions, and
      // its writers own the thread in the epoch that it saw.
      const fence = { expected: now.head, basedOn: now.receiptFloor, epoch: now.epoch };
      if (plan.entries.length === 0 || (await this.#store(database, target, plan, fence))) return plan.outcomes;
    }
    throw new OpstateError(
      "corrupt_log",
      `Thread "${target.threadId}" refuses every commit after its head, although no other node writes.`,
    );
  }

  /** Undefined when the target's incarnation is gone. */
  async #readView(
    { query }: Database,
    { threadId, incarnation }: Target,
    group: readonly Append[],
  ): Promise<ThreadView | undefined> {
    const entries = group.flatMap((append) => append.entries);
    const rows = await query(this.#options.statements.findKnown, [
      escapeId(threadId),
      entries.map(({ actorKind }) => actorKind),
      entries.map(({ actorId }) => actorId),
      entries.map(({ id }) => id),
      incarnation ?? null,
    ]);
    if (rows[0] === undefined && incarnation !== undefined) return undefined;
    if (rows[0] === undefined) throw missingThread(threadId, incarnation);
    const known = rows.filter((row) => row["id"] !== null).map(storedReceipt);
    const [head, receiptFloor] = [Number(rows[0]["head"]), Number(rows[0]["receipt_floor"])];
    const epoch = Number(rows[0]["epoch"]);
    return { head, receiptFloor, epoch, known: new Map(known.map((receipt) => [storedReceiptKey(receipt), receipt])) };
  }

  /** Resolves to false when another writer was first. Then nothing was written. */
  async #store(
    { query: direct, transaction }: Database,
    target: Target,
    { entries, head }: AppendPlan,
    fence: Fence,
  ): Promise<boolean> {
    const refusals = newestRefusals(entries, this.#options.refusalsPerActor);
    const kept = entries.filter((entry) => entry.refusal === null || refusals.has(entry));
    const write = (query: Query) => this.#insert(query, target, { ...fence, head }, kept, refusals.size);
    try {
      const stored =
        refusals.size === 0
          ? await write(direct)
          : await transaction(async (query) => {
              const written = await write(query);
              if (written !== undefined) await this.#prune(query, written.key, [...refusals]);
              return written;
            });
      if (stored === undefined) return false;
      if (head !== fence.expected) this.#options.onHead({ threadId: target.threadId, version: head, ...stored });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async #insert(
    query: Query,
    { threadId, incarnation }: Target,
    { expected, head, basedOn, epoch }: Fence & { readonly head: number },
    entries: readonly StoredEntry[],
    refusals: number,
  ): Promise<Pick<Head, "key" | "incarnation"> | undefined> {
    const commits = entries.flatMap(({ commit }) => (commit ? [commit] : []));
    const [row] = await query(this.#options.statements.append, [
      escapeId(threadId),
      expected,
      head,
      refusals,
      commits.map(({ version }) => version),
      commits.map(({ document }) => document),
      ...columnsOf(commits),
      entries.map(({ actorKind }) => actorKind),
      entries.map(({ actorId }) => actorId),
      entries.map(({ id }) => id),
      entries.map(({ hash }) => hash),
      entries.map(({ version }) => version),
      entries.map(({ refusal }) => refusal),
      refusalPositions(entries),
      incarnation ?? null,
      basedOn,
      epoch,
    ]);
    return row && { key: Number(row["key"]), incarnation: String(row["incarnation"]) };
  }

  async #prune(query: Query, key: number, refusals: readonly StoredEntry[]): Promise<void> {
    const actors = new Map(refusals.map((entry) => [`${entry.actorKind}"${entry.actorId}`, entry]));
    const entries = [...actors.values()];
    await query(this.#options.statements.pruneRefusals, [
      key,
      entries.map(({ actorKind }) => actorKind),
      entries.map(({ actorId }) => actorId),
      this.#options.refusalsPerActor,
    ]);
  }
}
