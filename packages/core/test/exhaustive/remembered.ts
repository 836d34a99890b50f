// What was made of a part of a state, so that it is made once. A part is never changed.

export class Remembered {
  readonly #byPart = new WeakMap<object, Map<string, unknown>>();

  of<T>(part: object, key: string, make: () => T): T {
    let made = this.#byPart.get(part);
    if (made === undefined) this.#byPart.set(part, (made = new Map()));
    if (made.has(key)) return made.get(key) as T;
    const result = make();
    made.set(key, result);
    return result;
  }

  /** The same for what is made of two parts. */
  ofBoth<T>(part: object, other: object, key: string, make: () => T): T {
    const inner = this.of(part, "with another", () => new Remembered());
    return inner.of(other, key, make);
  }
}
