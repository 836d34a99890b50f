// Who watches which threads of a SQLite log. The store watches each thread once.

import { HeadWatchers, type ThreadHead } from "@opstate/core/log";
import type { StoreCalls } from "./database/store.ts";

export class WatchedHeads {
  readonly #watchers = new HeadWatchers();
  /** How many watch a thread. */
  readonly #counts = new Map<string, number>();

  /**
   * Returns the function that ends it. The store gives the present head again, for each watcher.
   */
  watch(store: StoreCalls, threadId: string, onHead: (version: number, incarnation: string) => void): () => void {
    const end = this.#watchers.watch(threadId, onHead, undefined);
    this.#counts.set(threadId, (this.#counts.get(threadId) ?? 0) + 1);
    // A log that is closed notifies no listener.
    const ignored = () => undefined;
    store.watch(undefined, threadId).catch(ignored);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      end();
      const left = (this.#counts.get(threadId) ?? 0) - 1;
      if (left > 0) this.#counts.set(threadId, left);
      else {
        this.#counts.delete(threadId);
        store.unwatch(undefined, threadId).catch(ignored);
      }
    };
  }

  moved(threadId: string, head: ThreadHead | undefined): void {
    this.#watchers.moved(threadId, head);
  }

  end(): void {
    this.#watchers.end();
    this.#counts.clear();
  }
}
