// Deletes rows that are not visible any more, in small transactions. A million commits at once
// would block this process, and other writers of the file, for seconds.
//
// Invariants:
// - Reads begin above a thread's floor and find no deleted thread. So it does not matter which of
//   the swept rows still exist.
// - What is swept is zeroed in the file (`secure_delete`), and after a sweep the write-ahead log
//   is cut. What a process that ended left is swept when the file is opened again.

import type { Row } from "../../log/rows.ts";
import type { Statements } from "./statements.ts";
import type { Writer } from "./writer.ts";

/** Rows per transaction. */
const BATCH_SIZE = 500;

/** Threads that are looked at in one turn of the event loop. */
const LOOK_SIZE = 200;

/** Overwrites what was deleted. */
export interface Eraser {
  soon(): void;
}

export class Sweeper {
  readonly #writer: Pick<Writer, "write">;
  readonly #sql: Statements;
  readonly #eraser: Eraser;
  #sweeping: Promise<void> | undefined;

  constructor(writer: Pick<Writer, "write">, sql: Statements, eraser: Eraser) {
    this.#writer = writer;
    this.#sql = sql;
    this.#eraser = eraser;
  }

  /**
   * Deletes commits up to a floor, and snapshots below it. Resolves when they are gone. If it fails
   * or the process ends, the thread's next compaction, or the next opening of the log, deletes the
   * rest.
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

  /**
   * Begins to delete what is left from before: of deleted threads, and below the floors of others.
   */
  sweepLeftovers(): void {
    this.sweepDeleted();
    this.#sweeping = Promise.resolve(this.#sweeping).then(() => this.#dropBelowFloors());
  }

  /** Something was overwritten: its copies go too. */
  erase(): void {
    this.#eraser.soon();
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

  async #dropBelowFloors(): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined;) {
      await new Promise((resolve) => setImmediate(resolve));
      const rows = this.#find(() => this.#sql.findFloors.all(Number(after), LOOK_SIZE));
      for (const { key, floor, left } of rows) if (Number(left) > 0) await this.sweep(Number(key), Number(floor));
      after = rows.length < LOOK_SIZE ? undefined : Number(rows.at(-1)?.["key"]);
    }
    // The process before may have ended between a sweep and its end.
    this.#eraser.soon();
  }

  #findDeleted(): readonly number[] {
    return this.#find(() => this.#sql.findDeleted.all()).map((row) => Number(row["key"]));
  }

  /** Empty when the file cannot be read now; the next sweep tries again. */
  #find(query: () => readonly Row[]): readonly Row[] {
    try {
      return query();
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
    } finally {
      this.#eraser.soon();
    }
  }
}
