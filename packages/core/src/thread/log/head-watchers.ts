// The watchers of a log's threads: what `Log.watch` gives of the heads that its log knows.
//
// Invariants:
// - A watcher gets each head at most once, ascending within one incarnation, and never within the
//   call that led to it.
// - A watcher that ended gets nothing more.

type OnHead = (version: number, incarnation: string) => void;

export interface ThreadHead {
  readonly version: number;
  readonly incarnation: string;
}

interface Watcher {
  readonly onHead: OnHead;
  /** The newest head that it has got, or is about to. */
  seen: ThreadHead | undefined;
}

/** Of a thread that was deleted. */
const GONE: ThreadHead = { version: 0, incarnation: "" };

export class HeadWatchers {
  readonly #watchers = new Map<string, Set<Watcher>>();

  /** The threads that are watched. */
  get threadIds(): readonly string[] {
    return [...this.#watchers.keys()];
  }

  /** `head`: what the log has now. Returns the function that ends it. */
  watch(threadId: string, onHead: OnHead, head: ThreadHead | undefined): () => void {
    const watcher: Watcher = { onHead, seen: undefined };
    const watchers = this.#watchers.get(threadId) ?? new Set<Watcher>();
    this.#watchers.set(threadId, watchers.add(watcher));
    if (head !== undefined) void this.#notify(watchers, watcher, head);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(threadId) === watchers) this.#watchers.delete(threadId);
    };
  }

  /** The thread's head is this one, or it was deleted. */
  moved(threadId: string, head: ThreadHead | undefined): void {
    const watchers = this.#watchers.get(threadId);
    if (watchers === undefined) return;
    // A thread without a head so far was not there before either.
    for (const watcher of watchers)
      if (head !== undefined || watcher.seen !== undefined) void this.#notify(watchers, watcher, head ?? GONE);
  }

  end(): void {
    for (const watchers of this.#watchers.values()) watchers.clear();
    this.#watchers.clear();
  }

  async #notify(watchers: ReadonlySet<Watcher>, watcher: Watcher, head: ThreadHead): Promise<void> {
    const { seen } = watcher;
    if (seen?.incarnation === head.incarnation && seen.version >= head.version) return;
    watcher.seen = head;
    await Promise.resolve();
    // A newer head has a notification of its own, and this one is skipped.
    if (watcher.seen === head && watchers.has(watcher)) watcher.onHead(head.version, head.incarnation);
  }
}
