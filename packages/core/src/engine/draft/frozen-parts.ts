// Which parts of a state cannot be written to, so that an author's code may have them as they are:
// what a search shows its callback, what a derive rule reads. Of the rest it sees a view.
//
// Invariant: where objects are frozen, all of a state is but its large arrays, and an object that
// holds one, anywhere, has a mark (`freeze.ts`). Working copies of a batch have one, too.

import { freezeOne, isLarge, isOpen, type Freezing } from "./freeze.ts";
import { isFrozenWrite } from "./error.ts";
import { keepView, keptView, Look, View, ListCopy } from "./readonly-view.ts";
import { isContainer, type Key } from "./touched.ts";

/** Arrays of fewer items are looked through as they are searched. */
const LONG = 128;

/** Accessors are kept for so many keys: those of a schema, not those of all records. */
const MANY_KEYS = 1000;

export class FrozenParts {
  readonly freezing: Freezing;
  /** Long arrays whose items cannot be written to. */
  readonly #flat = new WeakSet<object>();
  /** Views of arrays that are items of arrays. */
  readonly #rows = new WeakMap<object, object>();
  /** One for each key, so that the views of objects of one shape are of one shape. */
  readonly #accessors = new Map<string, PropertyDescriptor>();
  /** Who sees views now. */
  #look: Look | undefined;

  constructor(freezing: Freezing) {
    this.freezing = freezing;
  }

  /** Whether nothing in a part of a state can be written to. */
  through(part: object): boolean {
    // What is frozen was frozen with all below it.
    return this.freezing === "objects" ? !isOpen(part) : Object.isFrozen(part);
  }

  /** From now on it is `look` that sees views; gives who did before, to come back to. */
  enter(look: Look | undefined): Look | undefined {
    const before = this.#look;
    this.#look = look;
    return before;
  }

  /**
   * A part of a state as code may see it that must not write to it: itself, or a view. Undefined
   * where it is not frozen at all.
   */
  shown(part: object): object | undefined {
    if (this.freezing !== "objects") return Object.isFrozen(part) ? part : undefined;
    return isOpen(part) ? this.#viewOf(part) : part;
  }

  #viewOf(part: object): object {
    if (Array.isArray(part)) return this.#rowView(part);
    const kept = keptView(part);
    if (kept !== undefined) return kept;
    const view: Record<string, unknown> = {};
    for (const key in part) {
      const value = (part as Readonly<Record<string, unknown>>)[key];
      if (typeof value === "object" && value !== null && isOpen(value))
        Object.defineProperty(view, key, this.#accessor(key));
      else view[key] = value;
    }
    keepView(part, new View(view, part));
    return view;
  }

  #rowView(row: readonly unknown[]): object {
    let view = this.#rows.get(row);
    if (view === undefined) {
      view = new View([...this.#itemsShown(row)], row);
      this.#rows.set(row, view);
    }
    return view;
  }

  #accessor(key: string): PropertyDescriptor {
    const known = this.#accessors.get(key);
    if (known !== undefined) return known;
    const read = (view: View) => this.#part(view, key);
    const made: PropertyDescriptor = {
      get(this: View) {
        return read(this);
      },
      enumerable: true,
    };
    if (this.#accessors.size < MANY_KEYS) this.#accessors.set(key, made);
    return made;
  }

  #part(view: View, key: string): object {
    const part = View.part(view, key, this.#made);
    if (!(part instanceof ListCopy)) return part;
    // Seen by nobody who would be told: kept for later.
    return this.#look === undefined ? (part.kept ??= Object.freeze([...part.shown])) : this.#look.give(part);
  }

  readonly #made = (part: object): object | ListCopy => {
    if (!Array.isArray(part)) return this.#viewOf(part);
    const shown = this.#itemsShown(part);
    return new ListCopy(shown);
  };

  #itemsShown(array: readonly unknown[]): readonly unknown[] {
    if (this.#isFlat(array)) return array;
    return array.map((item) => (isContainer(item) ? this.shown(item) : item));
  }

  #isFlat(array: readonly unknown[]): boolean {
    if (array.length >= LONG) return this.items(array);
    for (let i = 0; i < array.length; i++) {
      const item = array[i];
      if (typeof item === "object" && item !== null && isOpen(item)) return false;
    }
    return true;
  }

  /** Whether none of an array's items can be written to; also false where it is cheap to look. */
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
   * `value` was made from `base`, and differs from it at the indices `fresh` and those of
   * `children` only.
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
   * A part of a state for code that may write to what it gets: itself where that is frozen through,
   * else a copy down to what is. A write to the copy of a large array has no effect on the state;
   * one to an object throws, where objects are frozen.
   */
  shelter(part: object): object {
    if (this.through(part)) return part;
    const copy: object = Array.isArray(part)
      ? part.map((item) => (isContainer(item) ? this.shelter(item) : item))
      : this.#object(part as Readonly<Record<string, unknown>>);
    freezeOne(copy, this.freezing);
    return copy;
  }

  #object(part: Readonly<Record<string, unknown>>): object {
    const copy: Record<string, unknown> = { ...part };
    for (const key of Object.keys(copy)) {
      const value = copy[key];
      if (isContainer(value)) copy[key] = this.shelter(value);
    }
    return copy;
  }

  /** What `compute` makes of a container. A rule that sorts what it reads does so on a copy. */
  compute(compute: (container: unknown) => unknown, container: object): unknown {
    const shown = this.shown(container);
    if (shown === container) return compute(container);
    if (shown === undefined) return compute(this.shelter(container));
    const look = new Look("derive");
    const before = this.enter(look);
    let value: unknown;
    let failure: { readonly error: unknown } | undefined;
    try {
      value = compute(shown);
    } catch (error) {
      failure = { error };
    } finally {
      this.enter(before);
    }
    if (look.end() !== undefined || (failure !== undefined && isFrozenWrite(failure.error)))
      return compute(this.shelter(container));
    if (failure !== undefined) throw failure.error;
    return value;
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
