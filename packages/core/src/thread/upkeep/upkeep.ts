// What is done beside the commits so that a long history costs little: snapshots, and compaction
// when the options say so.
//
// Invariant: nothing waits for it and nothing fails with it. What fails is tried again with a later
// commit.

import type { Log } from "../log/log.ts";
import { compactTo } from "./compaction.ts";
import type { Scheduler } from "../pace.ts";

export interface UpkeepOptions {
  readonly log: Log;
  readonly threadId: string;
  readonly definitionVersion: number;
  readonly savedVersion: number;
  readonly floor: number;
  readonly snapshotEvery: () => number;
  readonly scheduler: Scheduler;
  /** How many of the newest commits stay; undefined: all. */
  readonly keep: () => number | undefined;
  /** How far compaction may go at most. */
  readonly limit: () => Promise<number>;
}

export class Upkeep {
  readonly #options: UpkeepOptions;
  #savedVersion: number;
  #floor: number;
  /** The version of the newest commit. */
  #newestVersion = 0;
  #saving: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#savedVersion = options.savedVersion;
    this.#floor = options.floor;
  }

  /** The newest floor that is known here. */
  get floor(): number {
    return this.#floor;
  }

  /** Called after each commit. */
  afterCommit(version: number, after: { readonly state: unknown }): void {
    if (version - this.#savedVersion >= this.#options.snapshotEvery()) this.#save(version, after);
    this.#newestVersion = version;
    const keep = this.#options.keep();
    if (keep === undefined) return;
    this.#compacting ??= this.#compactUntilDone(keep).then(() => void (this.#compacting = undefined));
  }

  /** Removes the history up to a version, or to the limit. Resolves to the floor. */
  async compact(version: number): Promise<number> {
    const { log, threadId, limit, scheduler } = this.#options;
    const wanted = Math.min(version, await limit());
    if (wanted > this.#floor) this.#floor = await compactTo(log, threadId, wanted, scheduler);
    return this.#floor;
  }

  /** The history was removed up to a version, past what `limit` says. */
  compactedTo(version: number): void {
    this.#floor = Math.max(this.#floor, version);
  }

  async idle(): Promise<void> {
    await this.#saving;
    await this.#compacting;
  }

  #save(version: number, after: { readonly state: unknown }): void {
    if (this.#saving !== undefined) return;
    const { state } = after;
    const { log, threadId, definitionVersion } = this.#options;
    this.#savedVersion = version;
    this.#saving = Promise.resolve()
      .then(() => log.saveSnapshot(threadId, { version, state, definitionVersion }))
      .catch(() => undefined)
      .then(() => void (this.#saving = undefined));
  }

  /** Commits go on while a compaction takes its turns, so there may be more to remove after it. */
  async #compactUntilDone(keep: number): Promise<void> {
    // Twice what is kept: one compaction removes as much as it leaves.
    while (this.#newestVersion - this.#floor >= 2 * keep) {
      const floor = this.#floor;
      await this.compact(this.#newestVersion - keep).catch(() => undefined);
      // It failed, or may go no further yet. A later commit tries again.
      if (this.#floor === floor) return;
    }
  }
}
