// The heads of the threads that are watched: from this store's own writes, and from a poll that
// sees when another process wrote to the file.
//
//   timer -> PRAGMA data_version -- as before? --> nothing is read
//                                |  moved
//                                v
//                      heads of the watched threads, in turns --> onHead
//
// Invariants:
// - Nothing is polled while nothing is watched.
// - What could not be read is read at the next look.
// - The timer keeps no process alive.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ThreadHead } from "@opstate/core/log";
import type { OnHead } from "./store.ts";

/** Heads that are read in one turn of the event loop. */
const TURN = 500;

export interface HeadsOptions {
  /** Where another process may write too: its database, and milliseconds between two looks. */
  readonly poll?: { readonly database: DatabaseSync; readonly interval: number };
  /** Undefined: there is no such thread. */
  headOf(threadId: string): ThreadHead | undefined;
  readonly onHead: OnHead;
}

export class Heads {
  readonly #options: HeadsOptions;
  readonly #watched = new Set<string>();
  /** It differs from its last value when another connection wrote to the file. */
  readonly #dataVersion: StatementSync | undefined;
  /** The one at which all heads were read; undefined: look again. */
  #seen: unknown;
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;

  constructor(options: HeadsOptions) {
    this.#options = options;
    this.#dataVersion = options.poll?.database.prepare("PRAGMA data_version");
  }

  /** Reports the present head at once, too. */
  watch(threadId: string): void {
    const { poll } = this.#options;
    this.#watched.add(threadId);
    this.read(threadId);
    if (poll) this.#timer ??= setInterval(() => void this.#look(poll.database), poll.interval).unref();
  }

  unwatch(threadId: string): void {
    this.#watched.delete(threadId);
    if (this.#watched.size === 0) this.#stop();
  }

  /** This store wrote it. */
  moved(threadId: string, head: ThreadHead): void {
    if (this.#watched.has(threadId)) this.#options.onHead(threadId, head);
  }

  /** Reads one head now. */
  read(threadId: string): void {
    if (!this.#watched.has(threadId)) return;
    try {
      this.#options.onHead(threadId, this.#options.headOf(threadId));
    } catch {
      // The file is locked or closed.
      this.#seen = undefined;
    }
  }

  close(): void {
    this.#stop();
    this.#watched.clear();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#seen = undefined;
  }

  async #look(database: DatabaseSync): Promise<void> {
    if (this.#isReading || !database.isOpen) return;
    this.#isReading = true;
    try {
      const now = this.#dataVersion?.get()?.["data_version"];
      if (now === this.#seen) return;
      // Before the heads: what is written meanwhile is seen by the next look.
      this.#seen = now;
      const threadIds = [...this.#watched];
      for (let from = 0; from < threadIds.length; from += TURN) {
        if (from > 0) await new Promise((resolve) => setImmediate(resolve));
        if (!database.isOpen) return;
        for (const threadId of threadIds.slice(from, from + TURN)) this.read(threadId);
      }
    } catch {
      this.#seen = undefined;
    } finally {
      this.#isReading = false;
    }
  }
}
