// Which parts of a state cannot be written to, so that an author's code may have them as they are:
// what a search shows its callback, what a derive rule reads. Of the rest it gets a read-only view.
//
// Invariant: where objects are frozen, all of a state is but its large arrays, and an object that
// holds one, anywhere, has a mark (`freeze.ts`). Working copies of a batch have one, too.

import { isContainer, type Key } from "./touched.ts";
import { freezeOne, isLarge, isOpen, type Freezing } from "../freeze.ts";
import { arrayView, ObjectViews } from "./readonly-view.ts";

/** Arrays of fewer items are looked through as they are searched. */
const LONG = 128;

export class FrozenParts {
  readonly freezing: Freezing;
  /** Long arrays whose items cannot be written to. */
  readonly #flat = new WeakSet<object>();
  /** Views of arrays that are items of arrays: all others are kept by the view around them. */
  readonly #lists = new WeakMap<object, object>();
  readonly #views = new ObjectViews((part) => this.#viewOf(part));

  constructor(freezing: Freezing) {
    this.freezing = freezing;
  }

  /** Whether nothing in a part of a state can be written to. */
  through(part: object): boolean {
    // What is frozen was frozen with all below it.
    return this.freezing === "objects" ? !isOpen(part) : Object.isFrozen(part);
  }

  /**
   * Whether a callback may see all items of a state's array as they are. A state's array stays as it
   * is; false where that is not known.
   */
  items(array: readonly unknown[]): boolean {
    if (array.length < LONG || this.freezing !== "objects") return false;
    if (this.#flat.has(array)) return true;
    for (let i = 0; i < array.length; i++) {
      const item = array[i];
      if (typeof item === "object" && item !== null && isOpen(item)) return false;
    }
    this.#flat.add(array);
    return true;
  }

  /**
   * `value` was made from `base`, and differs from it at the indices `fresh` and those of `children`
   * only.
   */
  carry(
    base: object,
    value: readonly unknown[],
    fresh: readonly Key[] = [],
    children: readonly { readonly key: Key }[] = [],
  ): void {
    if (value.length < LONG || !this.#flat.has(base)) return;
    const isFlat = (key: Key) => !willBeOpen(value[key as number]);
    if (fresh.every(isFlat) && children.every(({ key }) => isFlat(key))) this.#flat.add(value);
  }

  /** A value was put below new arrays. */
  putBelow(arrays: readonly { readonly value: object }[], value: unknown): void {
    if (willBeOpen(value)) for (const { value: array } of arrays) this.#flat.delete(array);
  }

  /**
   * A part of a state as code may see it that must not write to it: itself, or a view. Undefined
   * where it is not frozen at all.
   */
  shown(part: object): object | undefined {
    if (this.freezing !== "objects") return Object.isFrozen(part) ? part : undefined;
    return isOpen(part) ? this.#itemView(part) : part;
  }

  #itemView(part: object): object {
    if (!Array.isArray(part)) return this.#views.of(part as Readonly<Record<string, unknown>>, isOpen);
    let view = this.#lists.get(part);
    if (view === undefined) this.#lists.set(part, (view = this.#viewOf(part)));
    return view;
  }

  #viewOf(part: object): object {
    if (!Array.isArray(part)) return this.#itemView(part);
    const items: unknown[] = [...part];
    if (this.items(part)) return arrayView(part, items);
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      if (typeof item === "object" && item !== null && isOpen(item)) items[i] = this.#itemView(item);
    }
    return arrayView(part, items);
  }

  /**
   * A part of a state for code that may write to what it gets: itself where that is frozen through,
   * else a copy down to what is. A write to the copy of a large array has no effect on the state;
   * one to an object throws, where objects are frozen.
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
    return part.map((item) => (isContainer(item) ? this.shelter(item) : item));
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

/** Whether something in a value can be written to once it is frozen. */
function willBeOpen(value: unknown): boolean {
  if (!isContainer(value)) return false;
  if (Object.isFrozen(value)) return isOpen(value);
  return isLarge(value) || Object.values(value).some(willBeOpen);
}

/** Whether nothing in a value can be written to, whoever made it. */
export function frozenThrough(value: object): boolean {
  return Object.isFrozen(value) && Object.values(value).every((part) => !isContainer(part) || frozenThrough(part));
}
