// Takes what was deleted out of the write-ahead log too: it holds earlier copies of pages until it
// is written back and cut to nothing.
//
//   rows deleted (zeroed in their pages) ─> soon() ─> wal_checkpoint(TRUNCATE)
//                                                       | another process reads or writes
//                                                       v
//                                                     again, INTERVAL later
//
// Invariants:
// - No transaction is open in this process while it runs, and it never waits for a lock.
// - A checkpoint costs a flush of the disk, so there is at most one in each interval.
// - The timer keeps no process alive: the next opening of the file cuts what was left.

import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Milliseconds. */
const INTERVAL = 1_000;

export class WalEraser {
  readonly #database: DatabaseSync;
  readonly #cut: StatementSync;
  #earliest = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#cut = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** Something was deleted: its copies go now, or when an interval is over. */
  soon(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#earliest - performance.now();
    if (wait <= 0 && this.#tryNow()) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.soon();
      },
      Math.max(wait, 0) || INTERVAL,
    ).unref();
  }

  /** Tries once more what is still to be done. Call it before the file is closed. */
  close(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tryNow();
  }

  /** False: another process has the file, or the disk failed. */
  #tryNow(): boolean {
    if (!this.#database.isOpen) return true;
    this.#earliest = performance.now() + INTERVAL;
    try {
      return Number(this.#cut.get()?.["busy"]) === 0;
    } catch {
      return false;
    }
  }
}
