// A map that is never written to: another one with some other values shares most of it.
//
//   below   a:1 b:2 c:3 ...          shared by all that were made from it
//   above   b:5 d:4                  copied for each; when it grows, it is merged into `below`
//
// So a change costs about the square root of the size, where a copy costs the size.

/** The size up to which `above` is copied, however small `below` is. */
const SMALL = 32;

export class Layered<K, V> {
  readonly #below: ReadonlyMap<K, V>;
  /** Undefined: there is nothing under the key. */
  readonly #above: ReadonlyMap<K, V | undefined>;

  constructor(below: ReadonlyMap<K, V> = new Map(), above: ReadonlyMap<K, V | undefined> = new Map()) {
    this.#below = below;
    this.#above = above;
  }

  get(key: K): V | undefined {
    const value = this.#above.get(key);
    return value === undefined && !this.#above.has(key) ? this.#below.get(key) : value;
  }

  /** With other values under some keys; undefined takes a key out. */
  with(changes: ReadonlyMap<K, V | undefined>): Layered<K, V> {
    if (changes.size === 0) return this;
    const above = new Map(this.#above);
    for (const [key, value] of changes) above.set(key, value);
    if (above.size <= SMALL || above.size * above.size <= this.#below.size) return new Layered(this.#below, above);
    const below = new Map(this.#below);
    for (const [key, value] of above)
      if (value === undefined) below.delete(key);
      else below.set(key, value);
    return new Layered(below);
  }
}
