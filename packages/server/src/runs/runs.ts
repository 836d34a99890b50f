// The runs that a server knows, by thread. Of those that have ended only so many are kept, and only
// for a time. The oldest go first.

import { sameActor } from "@opstate/core/thread";
import type { Actor } from "@opstate/core";
import { actorKey } from "@opstate/core/log";
import { Problem } from "../http/problem.ts";
import type { ServedThread } from "../threads/served-thread.ts";
import type { RunRecord } from "./run-record.ts";
import type { KeepLimits, RunsOptions } from "./run-options.ts";
import { ThreadRuns } from "./thread-runs.ts";

/** Milliseconds between two looks for runs that are too old. */
const SWEEP_INTERVAL = 60_000;
/** Threads of which it is remembered that another owner asked. */
const ASKED_LIMIT = 100_000;

interface EpochOfThread {
  readonly threadId: string;
  readonly incarnation: string;
  readonly epoch: number;
}

export class Runs {
  readonly #options: RunsOptions;
  readonly #shelves = new Map<string, Promise<ThreadRuns>>();
  /** Of incarnations: the newest epoch whose owner asked what is under way here. */
  readonly #askedUpTo = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  get limits(): KeepLimits {
    return this.#options.limits;
  }

  /** The runs of a thread that is open. */
  async of(served: ServedThread): Promise<ThreadRuns> {
    const { threadId, incarnation } = served.thread;
    for (;;) {
      const known = this.#shelves.get(threadId);
      const shelf = await known;
      if (shelf?.incarnation === incarnation && !shelf.isClosed) {
        shelf.wasUsed = true;
        await shelf.loadOfOthers().catch(this.#options.onError);
        // It may have closed meanwhile.
        if (!shelf.isClosed) return shelf;
        continue;
      }
      // Another request may have opened it meanwhile.
      if (this.#shelves.get(threadId) !== known) continue;
      await shelf?.close("deleted");
      if (this.#shelves.get(threadId) !== known) continue;
      this.#shelves.set(threadId, this.#open(served));
    }
  }

  /** The runs of a thread, if this process has them at hand. */
  async known(threadId: string): Promise<ThreadRuns | undefined> {
    const shelf = await this.#shelves.get(threadId);
    return shelf?.isClosed === false ? shelf : undefined;
  }

  /**
   * Whether runs of a thread that were begun before that epoch are under way here. None is begun
   * from now on.
   */
  async areUnderWay({ threadId, incarnation, epoch }: EpochOfThread): Promise<boolean> {
    const newest = Math.max(epoch, this.#askedUpTo.get(incarnation) ?? 0);
    this.#askedUpTo.delete(incarnation);
    this.#askedUpTo.set(incarnation, newest);
    const [oldest] = this.#askedUpTo.keys();
    if (this.#askedUpTo.size > ASKED_LIMIT && oldest !== undefined) this.#askedUpTo.delete(oldest);
    const shelf = await this.known(threadId);
    if (shelf?.incarnation !== incarnation) return false;
    return shelf.all.some(({ isOver, head }) => !isOver && (head.epoch ?? 0) < epoch);
  }

  /** Throws a Problem when a later owner of the thread was told that no other run begins here. */
  checkOwned(incarnation: string): void {
    const epoch = this.#options.nodes?.epochOf(incarnation);
    if (epoch !== undefined && epoch < (this.#askedUpTo.get(incarnation) ?? 0))
      throw new Problem("not_owner", "This server does not own the thread any more.");
  }

  /** How many runs of this actor go on without a reader. */
  async detachedBy(actor: Actor): Promise<number> {
    let count = 0;
    for (const shelf of await this.#all())
      for (const { head, isOver } of shelf.all)
        if (!isOver && head.detached && sameActor(head.actor, actor)) count += 1;
    return count;
  }

  /** Drops what is over the limits. To be called when a run has ended. */
  async sweep(now = Date.now()): Promise<void> {
    const { limits } = this.#options;
    const byActor = new Map<string, number>();
    let total = 0;
    const ended = (await this.#all())
      .flatMap((shelf) => shelf.all.map((record) => ({ shelf, record })))
      .filter(({ record }) => record.isOver)
      .sort((a, b) => timeOf(b.record) - timeOf(a.record));
    const byShelf = new Map<ThreadRuns, number>();
    for (const { shelf, record } of ended) {
      const actor = actorKey(record.head.actor);
      const [ofActor, ofShelf] = [(byActor.get(actor) ?? 0) + 1, (byShelf.get(shelf) ?? 0) + 1];
      const isOld = now - timeOf(record) > limits.minutes * 60_000;
      if (isOld || ofActor > limits.perActor || ofShelf > limits.perThread || total + record.size > limits.total) {
        shelf.drop(record);
        continue;
      }
      byActor.set(actor, ofActor);
      byShelf.set(shelf, ofShelf);
      total += record.size;
    }
  }

  /**
   * Stops the runs of this process that another server has taken for dead, and ended in the store:
   * to be called when this one was not there for a while.
   */
  async stopAdopted(): Promise<void> {
    for (const shelf of await this.#all()) await shelf.stopAdopted();
  }

  /** Releases the threads that have no runs and were not needed since the last time. */
  async #closeUnused(): Promise<void> {
    for (const [threadId, opening] of this.#shelves) {
      const shelf = await opening;
      const isUsed = shelf.wasUsed || shelf.all.length > 0;
      shelf.wasUsed = false;
      if (isUsed) continue;
      this.#shelves.delete(threadId);
      await shelf.close("closed");
    }
    if (this.#shelves.size === 0) this.#stopTimer();
  }

  async #tidy(): Promise<void> {
    await this.sweep();
    await this.#closeUnused();
  }

  /** Resolves when the store has everything. The threads may close. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    for (const shelf of await this.#all()) await shelf.close("closed");
    this.#shelves.clear();
  }

  async #open(served: ServedThread): Promise<ThreadRuns> {
    if (!this.#isClosed)
      this.#timer ??= setInterval(() => void this.#tidy().catch(this.#options.onError), SWEEP_INTERVAL).unref();
    const shelf = new ThreadRuns(served, this.#options);
    await shelf.load().catch(this.#options.onError);
    return shelf;
  }

  async #all(): Promise<readonly ThreadRuns[]> {
    return Promise.all(this.#shelves.values());
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function timeOf({ head, endedAt }: RunRecord): number {
  return Date.parse(endedAt ?? head.startedAt);
}
