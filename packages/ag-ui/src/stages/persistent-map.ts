// A map that never changes: what is set or deleted is so in another map, and the one before still
// says what it said.
//
// Invariants: a chain of maps, each made from the newest, shares one table, so a step costs the
// same at any size; a map that is no longer the newest knows what was changed after it, and is
// copied when it is continued all the same.

interface Entry<V> {
  readonly value: V;
  /** Entries are listed in this order, whichever table they are in. */
  readonly order: number;
}

/** How the next map differs: under one key, where this one has `before`. */
interface Change<V> {
  readonly key: string;
  readonly before: Entry<V> | undefined;
  readonly next: PersistentMap<V>;
}

export class PersistentMap<V> {
  /** Undefined as long as it is empty from the start, and once it was handed on. */
  #table: Map<string, Entry<V>> | undefined;
  #change: Change<V> | undefined;
  /** The highest order that was given. */
  #last = 0;

  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  get(key: string): V | undefined {
    return this.#find(key)?.value;
  }

  /** In the order in which they were set first. */
  keys(): string[] {
    return [...(this.#table ?? this.#copy())].sort(([, a], [, b]) => a.order - b.order).map(([key]) => key);
  }

  set(key: string, value: V): PersistentMap<V> {
    const before = this.#find(key);
    return this.#handOn(key, before, { value, order: before?.order ?? this.#last + 1 });
  }

  delete(key: string): PersistentMap<V> {
    const before = this.#find(key);
    return before === undefined ? this : this.#handOn(key, before, undefined);
  }

  #find(key: string): Entry<V> | undefined {
    let newest: PersistentMap<V> | undefined;
    for (let change = this.#change; change !== undefined; change = newest.#change) {
      if (change.key === key) return change.before;
      newest = change.next;
    }
    return (newest ?? this).#table?.get(key);
  }

  #handOn(key: string, before: Entry<V> | undefined, entry: Entry<V> | undefined): PersistentMap<V> {
    const next = new PersistentMap<V>();
    next.#last = Math.max(this.#last, entry?.order ?? 0);
    const table = (next.#table = this.#table ?? this.#copy());
    if (entry === undefined) table.delete(key);
    else table.set(key, entry);
    if (this.#table === undefined) return next;
    this.#table = undefined;
    this.#change = { key, before, next };
    return next;
  }

  /** A table of its own: the newest map's, with every change after this one undone. */
  #copy(): Map<string, Entry<V>> {
    const changes: Change<V>[] = [];
    let newest: PersistentMap<V> | undefined;
    for (let change = this.#change; change !== undefined; change = newest.#change) {
      changes.push(change);
      newest = change.next;
    }
    const table = new Map((newest ?? this).#table);
    for (const { key, before } of changes.toReversed()) {
      if (before === undefined) table.delete(key);
      else table.set(key, before);
    }
    return table;
  }
}
