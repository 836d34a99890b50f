// Who is notified when a stream changes.
//
// Invariants:
// - No watcher is called within the call that changed the stream.
// - Several changes before the callback runs are one notification.

export class Watchers {
  readonly #watchers = new Map<string, Set<() => void>>();
  #waiting = new Set<() => void>();

  get ids(): readonly string[] {
    return [...this.#watchers.keys()];
  }

  /** Returns the function that ends it. */
  watch(id: string, onChange: () => void): () => void {
    // One function may be given twice.
    const watcher = () => onChange();
    const watchers = this.#watchers.get(id) ?? new Set<() => void>();
    this.#watchers.set(id, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      this.#waiting.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  changed(id: string): void {
    for (const watcher of this.#watchers.get(id) ?? []) {
      if (this.#waiting.size === 0) queueMicrotask(() => this.#notify());
      this.#waiting.add(watcher);
    }
  }

  end(): void {
    this.#watchers.clear();
    this.#waiting.clear();
  }

  #notify(): void {
    const watchers = this.#waiting;
    this.#waiting = new Set();
    for (const watcher of watchers) watcher();
  }
}
