// Stores appends: those that wait together on one thread (of one incarnation, if they name it)
// share one transaction, threads run side by side on the pool.
//
// Invariants: an append resolves only after its transaction committed; the update of the head
// (`WHERE version = expected`) is the fence, the primary keys of commits and receipts stand behind
// it; appends of one thread are taken in call order. The usual group costs one statement: it
// supposes that nobody else wrote, and only when the fence says otherwise are the head and the
// known ids read.

import { type Appended, OpstateError } from "@opstate/core";
import { type Database, isUniqueViolation, type Query, retrying } from "./database.ts";
import { missing } from "./compact.ts";
import type { Head } from "./heads.ts";
import { type Append, judge, type Judged, type View } from "./plan-appends.ts";
import { receiptKey, type StoredEntry, storedReceipt } from "./receipts.ts";
import { columnsOf } from "./stored-commit.ts";
import type { Statements } from "./statements.ts";
import { escapeId } from "./stored-id.ts";

/**
 * Entries per transaction: beyond it the gain is small and other writers of the thread would wait.
 */
const GROUP_LIMIT = 1_024;
/**
 * A failed write means that the head moved, after which an append is stale or a duplicate: a few
 * turns settle all.
 */
const TURN_LIMIT = 10;

/** Which thread is meant: any of the name, or the one of an incarnation. */
interface Meant {
  readonly threadId: string;
  readonly incarnation: string | undefined;
}

interface Waiting extends Append {
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

export interface WriterOptions {
  readonly database: Database;
  readonly statements: Statements;
  readonly refusalsPerActor: number;
  /** Resolves when the tables can be used. */
  ready(): Promise<void>;
  /** Called after a commit: the head of the thread moved. */
  onHead(head: Head): void;
}

export interface Writer {
  append(meant: Meant, append: Append): Promise<Appended>;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

export function createWriter({ database, statements, refusalsPerActor, ready, onHead }: WriterOptions): Writer {
  const queues = new Map<string, Waiting[]>();
  const running = new Set<Promise<void>>();

  async function run(name: string, meant: Meant, queue: Waiting[]): Promise<void> {
    // Those that are called in this turn come along.
    await Promise.resolve();
    while (queue.length > 0) {
      const group = takeGroup(queue);
      try {
        const outcomes = await retrying(async () => {
          await ready();
          return settle(meant, group);
        });
        for (const [index, { resolve, reject }] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined || outcome instanceof OpstateError) reject(outcome);
          else resolve(outcome);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    queues.delete(name);
  }

  async function settle(meant: Meant, group: readonly Append[]): Promise<Judged["outcomes"]> {
    const supposed = judge(group, { head: group[0]?.expectedVersion ?? 0, known: new Map() });
    const plain = supposed.outcomes.every(
      (outcome) => !(outcome instanceof OpstateError) && outcome.status === "appended",
    );
    if (plain && (await store(meant, group[0]?.expectedVersion ?? 0, supposed))) return supposed.outcomes;
    for (let turn = 0; turn < TURN_LIMIT; turn += 1) {
      const view = await look(meant, group);
      if (view === undefined) return group.map(() => ({ status: "replaced" }));
      const judged = judge(group, view);
      if (judged.entries.length === 0 || (await store(meant, view.head, judged))) return judged.outcomes;
    }
    throw new OpstateError(
      "corrupt_log",
      `Thread "${meant.threadId}" takes no commit after its head, though nothing else was written.`,
    );
  }

  /** Undefined when the incarnation that is meant is gone. */
  async function look({ threadId, incarnation }: Meant, group: readonly Append[]): Promise<View | undefined> {
    const entries = group.flatMap((append) => append.entries);
    const rows = await database.query(statements.findKnown, [
      escapeId(threadId),
      entries.map(({ actorKind }) => actorKind),
      entries.map(({ actorId }) => actorId),
      entries.map(({ id }) => id),
      incarnation ?? null,
    ]);
    if (rows[0] === undefined && incarnation !== undefined) return undefined;
    if (rows[0] === undefined) throw missing(threadId, incarnation);
    const known = rows.filter((row) => row["id"] !== null).map(storedReceipt);
    return { head: Number(rows[0]["head"]), known: new Map(known.map((receipt) => [receiptKey(receipt), receipt])) };
  }

  /** Resolves to false, with nothing written, when another writer was first. */
  async function store(meant: Meant, expected: number, { entries, head }: Judged): Promise<boolean> {
    const refusals = newestRefusals(entries, refusalsPerActor);
    const kept = entries.filter((entry) => entry.refusal === null || refusals.has(entry));
    const write = (query: Query) => insert(query, meant, expected, head, kept, refusals.size);
    try {
      const found =
        refusals.size === 0
          ? await write(database.query)
          : await database.transaction(async (query) => {
              const written = await write(query);
              if (written !== undefined) await prune(query, written.key, [...refusals]);
              return written;
            });
      if (found === undefined) return false;
      if (head !== expected) onHead({ threadId: meant.threadId, version: head, ...found });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async function insert(
    query: Query,
    { threadId, incarnation }: Meant,
    expected: number,
    head: number,
    entries: readonly StoredEntry[],
    refusals: number,
  ): Promise<Pick<Head, "key" | "incarnation"> | undefined> {
    const commits = entries.flatMap(({ commit }) => (commit ? [commit] : []));
    const [row] = await query(statements.append, [
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
      places(entries),
      incarnation ?? null,
    ]);
    return row && { key: Number(row["key"]), incarnation: String(row["incarnation"]) };
  }

  async function prune(query: Query, key: number, refusals: readonly StoredEntry[]): Promise<void> {
    const actors = new Map(refusals.map((entry) => [`${entry.actorKind}"${entry.actorId}`, entry]));
    const of = [...actors.values()];
    await query(statements.pruneRefusals, [
      key,
      of.map(({ actorKind }) => actorKind),
      of.map(({ actorId }) => actorId),
      refusalsPerActor,
    ]);
  }

  return {
    append(meant, append) {
      return new Promise((resolve, reject) => {
        const waiting = { ...append, resolve, reject };
        const name = JSON.stringify([meant.threadId, meant.incarnation]);
        const queue = queues.get(name);
        if (queue) {
          queue.push(waiting);
          return;
        }
        const own = [waiting];
        queues.set(name, own);
        const done = run(name, meant, own).finally(() => running.delete(done));
        running.add(done);
      });
    },
    async idle() {
      await Promise.all(running);
    },
  };
}

function takeGroup(queue: Waiting[]): readonly Waiting[] {
  let entries = 0;
  const end = queue.findIndex((waiting, index) => (entries += waiting.entries.length) > GROUP_LIMIT && index > 0);
  return queue.splice(0, end === -1 ? queue.length : end);
}

/** Of the refusals of each actor in one group, those that will still be kept after it. */
function newestRefusals(entries: readonly StoredEntry[], limit: number): ReadonlySet<StoredEntry> {
  const counts = new Map<string, number>();
  const newest = entries.toReversed().filter((entry) => {
    if (entry.refusal === null) return false;
    const actor = `${entry.actorKind}"${entry.actorId}`;
    counts.set(actor, (counts.get(actor) ?? 0) + 1);
    return (counts.get(actor) ?? 0) <= limit;
  });
  return new Set(newest.toReversed());
}

/** The order of the refusals among themselves; null for what was accepted. */
function places(entries: readonly StoredEntry[]): readonly (number | null)[] {
  let place = 0;
  return entries.map(({ refusal }) => (refusal === null ? null : (place += 1)));
}
