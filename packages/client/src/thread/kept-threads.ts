// The threads of a client, one for each id, outside of any component tree.
//
// Invariants:
// - The same id gives the same object for as long as anything refers to it.
// - Threads in use are kept: those that are watched or have a pending edit. Of the others the
//   newest are kept, so that a page that was thrown away while it loaded finds its thread again.

export interface Kept<T extends object> {
  readonly thread: T;
  isInUse(): boolean;
}

/** How many unused threads are kept. */
const IDLE_LIMIT = 50;

export class KeptThreads<T extends object, K extends Kept<T>> {
  /** In the order of their last use. */
  readonly #kept = new Map<string, K>();
  readonly #released = new Map<string, WeakRef<K>>();
  /** What is released lives as long as its thread does. */
  readonly #holders = new WeakMap<T, K>();

  get(threadId: string): K | undefined {
    const kept = this.#kept.get(threadId) ?? this.#released.get(threadId)?.deref();
    if (kept !== undefined) this.keep(threadId, kept);
    return kept;
  }

  keep(threadId: string, kept: K): void {
    this.#holders.set(kept.thread, kept);
    this.#released.delete(threadId);
    this.#kept.delete(threadId);
    this.#kept.set(threadId, kept);
    if (this.#kept.size > IDLE_LIMIT) this.#releaseIdle();
  }

  values(): readonly K[] {
    const others = [...this.#released.values()].map((each) => each.deref());
    return [...this.#kept.values(), ...others].flatMap((kept) => kept ?? []);
  }

  #releaseIdle(): void {
    // Hosts without weak references keep all of them.
    if (typeof WeakRef === "undefined") return;
    const idle = [...this.#kept].filter(([, kept]) => !kept.isInUse());
    for (const [threadId, kept] of idle.slice(0, -IDLE_LIMIT)) {
      this.#kept.delete(threadId);
      this.#released.set(threadId, new WeakRef(kept));
    }
    for (const [threadId, each] of this.#released) if (each.deref() === undefined) this.#released.delete(threadId);
  }
}
