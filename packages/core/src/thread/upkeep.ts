// What is done beside the commits so that a long history costs little: snapshots, and compaction when it was asked for.
//
// Invariant: nothing waits for it and nothing fails with it. What did not work is tried again with a later commit.

import type { Log } from "./log.ts";
import { compactTo } from "./compaction.ts";
import type { Scheduler } from "./pace.ts";

export interface UpkeepOptions {
  readonly log: Log;
  readonly threadId: string;
  readonly definitionVersion: number;
  readonly savedVersion: number;
  readonly floor: number;
  readonly snapshotEvery: number;
  readonly scheduler: Scheduler;
  /** How many of the newest commits stay; undefined: all. */
  readonly keep: number | undefined;
  /** How far compaction may go at most. */
  readonly limit: () => Promise<number>;
}

export class Upkeep {
  readonly #options: UpkeepOptions;
  #savedVersion: number;
  #floor: number;
  /** The newest version that was heard of. */
  #heardVersion = 0;
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

  hear(version: number, state: unknown): void {
    const { snapshotEvery, keep } = this.#options;
    if (version - this.#savedVersion >= snapshotEvery) this.#save(version, state);
    this.#heardVersion = version;
    if (keep !== undefined) this.#compacting ??= this.#compactBeside(keep).then(() => void (this.#compacting = undefined));
  }

  /** Forgets what was done up to a version, as far as may be. Resolves to the floor. */
  async compact(version: number): Promise<number> {
    const { log, threadId, limit, scheduler } = this.#options;
    const wanted = Math.min(version, await limit());
    if (wanted > this.#floor) this.#floor = await compactTo(log, threadId, wanted, scheduler);
    return this.#floor;
  }

  async idle(): Promise<void> {
    await this.#saving;
    await this.#compacting;
  }

  #save(version: number, state: unknown): void {
    if (this.#saving !== undefined) return;
    const { log, threadId, definitionVersion } = this.#options;
    this.#savedVersion = version;
    this.#saving = Promise.resolve()
      .then(() => log.saveSnapshot(threadId, { version, state, definitionVersion }))
      .catch(() => undefined)
      .then(() => void (this.#saving = undefined));
  }

  /** Until nothing is left to do: commits go on while a compaction takes its turns. */
  async #compactBeside(keep: number): Promise<void> {
    // Twice what is kept, so that one compaction takes as much as it leaves.
    while (this.#heardVersion - this.#floor >= 2 * keep) {
      const floor = this.#floor;
      await this.compact(this.#heardVersion - keep).catch(() => undefined);
      // It failed, or may go no further yet: a later commit tries again.
      if (this.#floor === floor) return;
    }
  }
}
