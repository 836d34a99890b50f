// Removes receipts older than `keep`, now and then, after a commit.
//
// Invariants:
// - Nothing waits for it and nothing fails with it. What fails is tried again with a later commit.
// - A receipt stays a day longer than `keep`: the clock of its sender may be wrong by that.
// - The receipts of a branch's merges, and of an open proposal, stay as long as those do.

import type { Commit } from "../commit.ts";
import type { FullLog } from "../log/log.ts";
import { CLOCK_ERROR } from "../log/receipt-time.ts";

/** How often within the time for which receipts are kept. */
const TIMES = 8;

export interface ReceiptUpkeepOptions {
  readonly log: FullLog;
  readonly threadId: string;
  /** Milliseconds; undefined: for ever. */
  readonly keep: () => number | undefined;
  /** No receipt above this version is removed. */
  readonly limit: () => Promise<number>;
}

interface Mark {
  readonly version: number;
  readonly time: number;
}

export class ReceiptUpkeep {
  readonly #options: ReceiptUpkeepOptions;
  /** Versions and their times, oldest first: compaction may remove the commits that say them. */
  #marks: readonly Mark[] = [];
  #due = -Infinity;
  #dropping = Promise.resolve();

  constructor(options: ReceiptUpkeepOptions) {
    this.#options = options;
  }

  /** Called after each commit. */
  afterCommit({ version, at }: Pick<Commit, "version" | "at">): void {
    const keep = this.#options.keep() ?? Infinity;
    const time = Date.parse(at);
    if (keep === Infinity || !(time >= this.#due)) return;
    this.#due = time + keep / TIMES;
    this.#marks = [...this.#marks, { version, time }];
    this.#dropping = this.#dropping.then(() => this.#dropBefore(time - keep - CLOCK_ERROR)).catch(() => undefined);
  }

  async idle(): Promise<void> {
    await this.#dropping;
  }

  async #dropBefore(time: number): Promise<void> {
    const { log, threadId, limit } = this.#options;
    const marked = this.#marks.findLast((mark) => mark.time < time);
    this.#marks = this.#marks.filter((mark) => mark === marked || mark.time >= time);
    const last = Math.max(marked?.version ?? 0, await this.#lastBefore(time));
    // A refusal, and an update without an effect, have the version of the commit before them.
    // A merge without an effect has the version with which its branch began.
    const floor = Math.min(last, await limit()) - 1;
    const { receiptFloor = 0 } = (await log.info(threadId)) ?? {};
    if (floor > receiptFloor) await log.thread(threadId).dropReceipts(floor);
  }

  /** The last version whose commit is there and older; 0: none. */
  async #lastBefore(time: number): Promise<number> {
    const { log, threadId } = this.#options;
    const info = await log.info(threadId);
    if (info === undefined) return 0;
    const known = Math.max(info.floor, info.receiptFloor ?? 0);
    let [low, high] = [known, info.version];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [commit] = await log.read(threadId, { after: middle - 1, limit: 1 });
      if (commit !== undefined && Date.parse(commit.at) < time) low = middle;
      else high = middle - 1;
    }
    return low === known ? 0 : low;
  }
}
