// Who watches which thread, and the newest head known of it: from this node's appends, from the
// doorbell, and from a poll as safety net.
//
// Invariants: a watcher is told each head at most once, ascending, never from within the call that
// moved it; a thread that was deleted and made again starts anew; without a watcher nothing is
// polled.

export interface Head {
  readonly key: number;
  readonly threadId: string;
  readonly version: number;
  readonly incarnation: string;
}

type OnHead = (version: number, incarnation: string) => void;

export interface Heads {
  watch(threadId: string, onHead: OnHead): () => void;
  /** A thread's head as this node wrote or read it. */
  moved(head: Head): void;
  /** A thread's head as another node rang it. */
  rang(key: number, version: number): void;
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
  told: number;
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
  const asking = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let polling = false;
  /** A poll that is under way may have read too early. */
  let outdated = false;

  function tell(entry: Watched): void {
    for (const watcher of entry.watchers) {
      if (watcher.told >= entry.version) continue;
      watcher.told = entry.version;
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
      for (const watcher of entry.watchers) watcher.told = -1;
    }
    if (version <= entry.version) return;
    entry.version = version;
    tell(entry);
  }

  /** It was there, and is not any more. */
  function vanished(threadId: string): void {
    const entry = watched.get(threadId);
    if (entry?.key === undefined) return;
    threadOf.delete(entry.key);
    Object.assign(entry, { key: undefined, version: 0, incarnation: "" });
    for (const watcher of entry.watchers) watcher.told = -1;
    tell(entry);
  }

  async function ask(threadIds: readonly string[]): Promise<void> {
    if (threadIds.length === 0) return;
    try {
      const gone = new Set(threadIds);
      for (const head of await read(threadIds)) {
        gone.delete(head.threadId);
        moved(head);
      }
      for (const threadId of gone) vanished(threadId);
    } catch {
      // The next poll asks again.
    }
  }

  function start(asked: Promise<void>): void {
    const tracked = asked.finally(() => asking.delete(tracked));
    asking.add(tracked);
  }

  async function poll(): Promise<void> {
    // A database that answers slowly is not asked twice at once.
    if (polling) return;
    polling = true;
    do {
      outdated = false;
      await ask([...watched.keys()]);
    } while (outdated);
    polling = false;
  }

  /** Those that begin to watch in one turn ask together. */
  async function askUnread(): Promise<void> {
    await Promise.resolve();
    const threadIds = [...unread];
    unread.clear();
    await ask(threadIds);
  }

  function drop(threadId: string, entry: Watched): void {
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
      const watcher = { told: -1, onHead };
      entry.watchers.add(watcher);
      watched.set(threadId, entry);
      tell(entry);
      timer ??= setInterval(() => start(poll()), interval).unref();
      if (unread.size === 0) start(askUnread());
      unread.add(threadId);
      return () => {
        entry.watchers.delete(watcher);
        if (entry.watchers.size === 0 && watched.get(threadId) === entry) drop(threadId, entry);
      };
    },
    moved,
    rang(key, version) {
      const threadId = threadOf.get(key);
      const entry = threadId === undefined ? undefined : watched.get(threadId);
      if (threadId !== undefined && entry !== undefined)
        moved({ key, threadId, version, incarnation: entry.incarnation });
    },
    pollNow() {
      outdated = true;
      start(poll());
    },
    async close() {
      clearInterval(timer);
      watched.clear();
      threadOf.clear();
      await Promise.all(asking);
    },
  };
}
