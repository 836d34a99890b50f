// Deletes rows that are not visible any more, in small transactions. A million commits at once
// would block this process, and other writers of the file, for seconds.
//
// Invariant: reads begin above a thread's floor and find no deleted thread. So it does not matter
// which of the swept rows still exist.

import type { Statements } from "./statements.ts";
import type { Writer } from "./writer.ts";

/** Rows per transaction. */
const BATCH_SIZE = 500;

export class Sweeper {
  readonly #writer: Writer;
  readonly #sql: Statements;
  #sweeping: Promise<void> | undefined;

  constructor(writer: Writer, sql: Statements) {
    this.#writer = writer;
    this.#sql = sql;
  }

  /**
   * Deletes commits up to a floor, and snapshots below it. Resolves when they are gone. If it fails
   * or the process ends, the thread's next compaction deletes the rest.
   */
  async sweep(key: number, floor: number): Promise<void> {
    await this.#inBatches(() => this.#dropBatch(key, floor) > 0);
  }

  /** Deletes receipts of commits up to a version, in the same way. */
  async sweepReceipts(key: number, version: number): Promise<void> {
    let from: readonly [string, string, string] = ["", "", ""];
    await this.#inBatches(() => {
      const last = this.#sql.lastReceipt.get(key, ...from, BATCH_SIZE);
      if (last === undefined) return false;
      const to = [String(last["actor_kind"]), String(last["actor_id"]), String(last["id"])] as const;
      this.#sql.dropOldReceipts.run(key, ...from, ...to, version);
      from = to;
      return true;
    });
  }

  /**
   * Begins to delete the rows of deleted threads, after the sweeps that began before. If it fails,
   * the next deletion, or the next opening of the log, deletes the rest.
   */
  sweepDeleted(): void {
    this.#sweeping = Promise.resolve(this.#sweeping).then(() => this.#dropDeleted());
  }

  /** Resolves when the sweeps of deleted threads are done. */
  async idle(): Promise<void> {
    await this.#sweeping;
  }

  async #dropDeleted(): Promise<void> {
    for (const key of this.#findDeleted()) {
      await this.#inBatches(() => {
        if (this.#dropBatch(key, Number.MAX_SAFE_INTEGER) > 0) return true;
        const receipts = this.#sql.dropReceipts.run(key, BATCH_SIZE);
        const refusals = this.#sql.dropRefusals.run(key, BATCH_SIZE);
        if (Number(receipts.changes) + Number(refusals.changes) > 0) return true;
        this.#sql.emptyThread.run(key);
        return false;
      });
    }
  }

  /** Empty when the file cannot be read now; the next sweep tries again. */
  #findDeleted(): readonly number[] {
    try {
      return this.#sql.findDeleted.all().map((row) => Number(row["key"]));
    } catch {
      return [];
    }
  }

  #dropBatch(key: number, floor: number): number {
    const snapshots = this.#sql.dropSnapshot.run(key, floor);
    const commits = this.#sql.dropCommits.run(key, floor, BATCH_SIZE);
    return Number(snapshots.changes) + Number(commits.changes);
  }

  async #inBatches(dropNext: () => boolean): Promise<void> {
    try {
      while (await this.#writer.write(dropNext));
    } catch {
      // The log was closed, or the disk failed. What is left is not visible, and the next sweep
      // deletes it.
    }
  }
}
