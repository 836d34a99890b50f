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

export interface Heads {
  watch(threadId: string, onHead: OnHead): () => void;
  /** Reports a head that this node wrote or read. */
  moved(head: Head): void;
  /** Reports a head that another node announced. */
  announced(key: number, version: number): void;
  /** Reads the heads of all watched threads now. */
  pollNow(): void;
  close(): Promise<void>;
}

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

export function createHeads({ interval, read }: HeadsOptions): Heads {
  const watched = new Map<string, Watched>();
  const threadOf = new Map<number, string>();
  const unread = new Set<string>();
  const reading = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let polling = false;
  /** The running poll may have read too early, so it must read again. */
  let outdated = false;

  function notify(entry: Watched): void {
    for (const watcher of entry.watchers) {
      if (watcher.notifiedOf >= entry.version) continue;
      watcher.notifiedOf = entry.version;
      const { version, incarnation } = entry;
      queueMicrotask(() => {
        if (entry.watchers.has(watcher)) watcher.onHead(version, incarnation);
      });
    }
  }

  function moved({ key, threadId, version, incarnation }: Head): void {
    const entry = watched.get(threadId);
    if (!entry) return;
    unread.delete(threadId);
    if (entry.key !== key) {
      if (entry.key !== undefined && entry.key > key) return;
      if (entry.key !== undefined) threadOf.delete(entry.key);
      threadOf.set(key, threadId);
      entry.key = key;
      entry.incarnation = incarnation;
      entry.version = -1;
      for (const watcher of entry.watchers) watcher.notifiedOf = -1;
    }
    if (version <= entry.version) return;
    entry.version = version;
    notify(entry);
  }

  /** The thread existed and was deleted. */
  function deleted(threadId: string): void {
    const entry = watched.get(threadId);
    if (entry?.key === undefined) return;
    threadOf.delete(entry.key);
    Object.assign(entry, { key: undefined, version: 0, incarnation: "" });
    for (const watcher of entry.watchers) watcher.notifiedOf = -1;
    notify(entry);
  }

  async function readHeads(threadIds: readonly string[]): Promise<void> {
    if (threadIds.length === 0) return;
    try {
      const missing = new Set(threadIds);
      for (const head of await read(threadIds)) {
        missing.delete(head.threadId);
        moved(head);
      }
      for (const threadId of missing) deleted(threadId);
    } catch {
      // The next poll reads again.
    }
  }

  function track(promise: Promise<void>): void {
    const tracked = promise.finally(() => reading.delete(tracked));
    reading.add(tracked);
  }

  async function poll(): Promise<void> {
    // One poll at a time, also when the database is slow.
    if (polling) return;
    polling = true;
    do {
      outdated = false;
      await readHeads([...watched.keys()]);
    } while (outdated);
    polling = false;
  }

  /** Threads whose first watchers come in one turn are read together. */
  async function readUnread(): Promise<void> {
    await Promise.resolve();
    const threadIds = [...unread];
    unread.clear();
    await readHeads(threadIds);
  }

  function remove(threadId: string, entry: Watched): void {
    watched.delete(threadId);
    unread.delete(threadId);
    if (entry.key !== undefined) threadOf.delete(entry.key);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(threadId, onHead) {
      const entry = watched.get(threadId) ?? {
        key: undefined,
        version: -1,
        incarnation: "",
        watchers: new Set<Watcher>(),
      };
      const watcher = { notifiedOf: -1, onHead };
      entry.watchers.add(watcher);
      watched.set(threadId, entry);
      notify(entry);
      timer ??= setInterval(() => track(poll()), interval).unref();
      if (unread.size === 0) track(readUnread());
      unread.add(threadId);
      return () => {
        entry.watchers.delete(watcher);
        if (entry.watchers.size === 0 && watched.get(threadId) === entry) remove(threadId, entry);
      };
    },
    moved,
    announced(key, version) {
      const threadId = threadOf.get(key);
      const entry = threadId === undefined ? undefined : watched.get(threadId);
      if (threadId !== undefined && entry !== undefined)
        moved({ key, threadId, version, incarnation: entry.incarnation });
    },
    pollNow() {
      outdated = true;
      track(poll());
    },
    async close() {
      clearInterval(timer);
      watched.clear();
      threadOf.clear();
      await Promise.all(reading);
    },
  };
}
