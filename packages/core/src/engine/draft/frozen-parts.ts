// Which parts of a state cannot be written to, so that an author's code may have them as they are:
// what a search shows its callback, what a derive rule reads. The rest it sees as a draft, or as a
// copy.
//
// Invariant: where objects are frozen, all of a state is but its large arrays (`freeze.ts`), so
// "frozen through" means "without a large array". That is remembered for arrays, and carried from a
// base to what was made of it, so that it costs what an edit costs.

import { isContainer, type Key } from "./touched.ts";
import { freezeOne, isLarge, SMALL, type Freezing } from "../freeze.ts";

export class FrozenParts {
  readonly freezing: Freezing;
  /**
   * Arrays, and objects of many keys, whose parts are frozen through, whether an array itself is
   * frozen or large.
   */
  readonly #known = new WeakSet<object>();

  constructor(freezing: Freezing) {
    this.freezing = freezing;
  }

  /** Whether nothing in a part of a state can be written to. */
  through(part: object): boolean {
    // What is frozen was frozen with all below it.
    if (this.freezing !== "objects") return Object.isFrozen(part);
    if (isLarge(part)) return false;
    if (Array.isArray(part)) return this.items(part);
    if (this.#known.has(part)) return true;
    let keys = 0;
    for (const key in part) {
      keys += 1;
      const value = (part as Readonly<Record<string, unknown>>)[key];
      if (isContainer(value) && !this.through(value)) return false;
    }
    if (keys > SMALL) this.#known.add(part);
    return true;
  }

  /** Whether nothing in any item of a state's array can be written to. */
  items(array: readonly unknown[]): boolean {
    if (this.freezing !== "objects")
      return Object.isFrozen(array) || array.every((item) => !isContainer(item) || Object.isFrozen(item));
    if (this.#known.has(array)) return true;
    for (let i = 0; i < array.length; i++) {
      const item = array[i];
      if (isContainer(item) && !this.through(item)) return false;
    }
    this.#known.add(array);
    return true;
  }

  /**
   * `value` was made from `base`, and differs from it at the keys `fresh` and those of `children`
   * only.
   */
  carry(
    base: object,
    value: object,
    fresh: readonly Key[] = [],
    children: readonly { readonly key: Key }[] = [],
  ): void {
    const isFrozen = (key: Key) => {
      const part = (value as Readonly<Record<Key, unknown>>)[key];
      return !isContainer(part) || this.through(part);
    };
    if (this.#known.has(base) && fresh.every(isFrozen) && children.every(({ key }) => isFrozen(key)))
      this.#known.add(value);
    // A batch writes to its own copies again.
    else this.#known.delete(value);
  }

  /** Something that can be written to was put in. */
  forget(array: object): void {
    this.#known.delete(array);
  }

  /**
   * A part of a state for code that must not write to it: itself where it cannot, else a copy down
   * to what is frozen through. A write to the copy of a large array has no effect on the state; one
   * to an object throws, where objects are frozen.
   */
  shelter(part: object): object {
    if (this.through(part)) return part;
    const copy: object = Array.isArray(part)
      ? this.#array(part)
      : this.#object(part as Readonly<Record<string, unknown>>);
    freezeOne(copy, this.freezing);
    return copy;
  }

  #array(part: readonly unknown[]): unknown[] {
    return this.items(part) ? [...part] : part.map((item) => (isContainer(item) ? this.shelter(item) : item));
  }

  #object(part: Readonly<Record<string, unknown>>): object {
    const copy: Record<string, unknown> = { ...part };
    for (const key of Object.keys(copy)) {
      const value = copy[key];
      if (isContainer(value)) copy[key] = this.shelter(value);
    }
    return copy;
  }
}

/** Whether nothing in a value can be written to, whoever made it. */
export function frozenThrough(value: object): boolean {
  return Object.isFrozen(value) && Object.values(value).every((part) => !isContainer(part) || frozenThrough(part));
}
