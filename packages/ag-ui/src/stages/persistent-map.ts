// An immutable map: set and delete give another map, and the map before keeps its entries.
//
// A chain of maps shares one table, which the newest map has. An older map has the change that led
// to the next one:
//
//   map 1 --set a--> map 2 --delete b--> map 3 (table)
//
// Invariants:
// - A step from the newest map costs the same at any size.
// - A lookup in an older map follows the changes after it.
// - A step from an older map copies the table.

interface Entry<V> {
  readonly value: V;
  /** Keys are listed in this order. */
  readonly order: number;
}

/** How the next map differs from this one: under one key, where this one has `before`. */
interface Change<V> {
  readonly key: string;
  readonly before: Entry<V> | undefined;
  readonly next: PersistentMap<V>;
}

export class PersistentMap<V> {
  /** Undefined before the first entry, and after the table was passed on to the next map. */
  #table: Map<string, Entry<V>> | undefined;
  #change: Change<V> | undefined;
  /** The highest order so far. */
  #last = 0;

  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  get(key: string): V | undefined {
    return this.#find(key)?.value;
  }

  /** In the order of their first `set`. */
  keys(): string[] {
    return [...(this.#table ?? this.#copy())].sort(([, a], [, b]) => a.order - b.order).map(([key]) => key);
  }

  set(key: string, value: V): PersistentMap<V> {
    const before = this.#find(key);
    return this.#next(key, before, { value, order: before?.order ?? this.#last + 1 });
  }

  delete(key: string): PersistentMap<V> {
    const before = this.#find(key);
    return before === undefined ? this : this.#next(key, before, undefined);
  }

  #find(key: string): Entry<V> | undefined {
    let newest: PersistentMap<V> | undefined;
    for (let change = this.#change; change !== undefined; change = newest.#change) {
      if (change.key === key) return change.before;
      newest = change.next;
    }
    return (newest ?? this).#table?.get(key);
  }

  #next(key: string, before: Entry<V> | undefined, entry: Entry<V> | undefined): PersistentMap<V> {
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

  /** A copy of the newest map's table, with every change after this map undone. */
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
