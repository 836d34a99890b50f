// The watchers of each thread, and the newest known head of it: from this node's appends, from the
// doorbell, and from a poll as safety net.
//
// Invariants:
// - A watcher gets each head at most once, in ascending order, and never inside the call that moved
//   it.
// - A thread that was deleted and created again starts from its own first head.
// - Without watchers nothing is polled.

export interface Head {
  readonly key: number;
  readonly threadId: string;
  readonly version: number;
  readonly incarnation: string;
}

type OnHead = (version: number, incarnation: string) => void;

interface Watched {
  key: number | undefined;
  version: number;
  incarnation: string;
  readonly watchers: Set<Watcher>;
}

interface Watcher {
  notifiedOf: number;
  readonly onHead: OnHead;
}

export interface HeadsOptions {
  /** Milliseconds between two polls. */
  readonly interval: number;
  read(threadIds: readonly string[]): Promise<readonly Head[]>;
}

export class Heads {
  readonly #options: HeadsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #threadOf = new Map<number, string>();
  readonly #unread = new Set<string>();
  readonly #reading = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  /** The running poll may have read too early, so it must read again. */
  #isOutdated = false;

  constructor(options: HeadsOptions) {
    this.#options = options;
  }

  /** Returns the function that unsubscribes. */
  watch(threadId: string, onHead: OnHead): () => void {
    const entry: Watched = this.#watched.get(threadId) ?? {
      key: undefined,
      version: -1,
      incarnation: "",
      watchers: new Set<Watcher>(),
    };
    const watcher = { notifiedOf: -1, onHead };
    entry.watchers.add(watcher);
    this.#watched.set(threadId, entry);
    this.#notify(entry);
    this.#timer ??= setInterval(() => this.#track(this.#poll()), this.#options.interval).unref();
    if (this.#unread.size === 0) this.#track(this.#readUnread());
    this.#unread.add(threadId);
    return () => {
      entry.watchers.delete(watcher);
      if (entry.watchers.size === 0 && this.#watched.get(threadId) === entry) this.#remove(threadId, entry);
    };
  }

  /** Reports a head that this node wrote or read. */
  moved({ key, threadId, version, incarnation }: Head): void {
    const entry = this.#watched.get(threadId);
    if (!entry) return;
    this.#unread.delete(threadId);
    if (entry.key !== key) {
      if (entry.key !== undefined && entry.key > key) return;
      if (entry.key !== undefined) this.#threadOf.delete(entry.key);
      this.#threadOf.set(key, threadId);
      entry.key = key;
      entry.incarnation = incarnation;
      entry.version = -1;
      for (const watcher of entry.watchers) watcher.notifiedOf = -1;
    }
    if (version <= entry.version) return;
    entry.version = version;
    this.#notify(entry);
  }

  /** Reports a head that another node announced. */
  announced(key: number, version: number): void {
    const threadId = this.#threadOf.get(key);
    const entry = threadId === undefined ? undefined : this.#watched.get(threadId);
    if (threadId !== undefined && entry !== undefined)
      this.moved({ key, threadId, version, incarnation: entry.incarnation });
  }

  /** Reads the heads of all watched threads now. */
  pollNow(): void {
    this.#isOutdated = true;
    this.#track(this.#poll());
  }

  /** Ends the polls. Resolves when the reads under way are done. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#watched.clear();
    this.#threadOf.clear();
    await Promise.all(this.#reading);
  }

  #notify(entry: Watched): void {
    for (const watcher of entry.watchers) {
      if (watcher.notifiedOf >= entry.version) continue;
      watcher.notifiedOf = entry.version;
      const { version, incarnation } = entry;
      queueMicrotask(() => {
        if (entry.watchers.has(watcher)) watcher.onHead(version, incarnation);
      });
    }
  }

  /** The thread existed and was deleted. */
  #deleted(threadId: string): void {
    const entry = this.#watched.get(threadId);
    if (entry?.key === undefined) return;
    this.#threadOf.delete(entry.key);
    Object.assign(entry, { key: undefined, version: 0, incarnation: "" });
    for (const watcher of entry.watchers) watcher.notifiedOf = -1;
    this.#notify(entry);
  }

  async #readHeads(threadIds: readonly string[]): Promise<void> {
    if (threadIds.length === 0) return;
    try {
      const missing = new Set(threadIds);
      for (const head of await this.#options.read(threadIds)) {
        missing.delete(head.threadId);
        this.moved(head);
      }
      for (const threadId of missing) this.#deleted(threadId);
    } catch {
      // The next poll reads again.
    }
  }

  #track(promise: Promise<void>): void {
    const tracked = promise.finally(() => this.#reading.delete(tracked));
    this.#reading.add(tracked);
  }

  async #poll(): Promise<void> {
    // One poll at a time, also when the database is slow.
    if (this.#isPolling) return;
    this.#isPolling = true;
    do {
      this.#isOutdated = false;
      await this.#readHeads([...this.#watched.keys()]);
    } while (this.#isOutdated);
    this.#isPolling = false;
  }

  /** Threads whose first watchers come in one turn are read together. */
  async #readUnread(): Promise<void> {
    await Promise.resolve();
    const threadIds = [...this.#unread];
    this.#unread.clear();
    await this.#readHeads(threadIds);
  }

  #remove(threadId: string, entry: Watched): void {
    this.#watched.delete(threadId);
    this.#unread.delete(threadId);
    if (entry.key !== undefined) this.#threadOf.delete(entry.key);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
