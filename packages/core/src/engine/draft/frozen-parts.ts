// Which parts of a state cannot be written to, so that an author's code may have them as they are:
// what a search shows its callback, what a derive rule reads. Of the rest it sees a view.
//
// Invariant: where objects are frozen, all of a state is but its open lists (`freeze.ts` says
// which), and an object that holds one, anywhere, has a mark. Working copies of a batch have one,
// too.

import { arrayMethods } from "./array-methods.ts";
import { isFrozenWrite } from "./error.ts";
import { ListCopy, SHORT } from "./list-copy.ts";
import { freezeOne, isOpen, Items, Mark, staysOpen, type Freezing } from "./freeze.ts";
import { ListView, ObjectCopy, ObjectView, viewOf, type Views } from "./views.ts";
import { isContainer, type Key } from "./touched.ts";

/** From this length on it is cached that an array's items are frozen. Others are looked through. */
const LONG = 16;

export class FrozenParts implements Views {
  readonly freezing: Freezing;
  /** Long frozen arrays whose items cannot be written to; an open one has a mark. */
  readonly #frozenItems = new WeakSet<object>();

  constructor(freezing: Freezing) {
    this.freezing = freezing;
  }

  /** A getter, and so no own property: the methods have an iterator, but are no list. */
  get methods(): Views["methods"] {
    return arrayMethods;
  }

  /** A part of a frozen state, for code that must not write to it: the part itself, or a view. */
  view(part: object): object {
    if (this.freezing !== "objects") return part;
    if (Array.isArray(part)) return Object.isFrozen(part) ? part : ListView.of(part, this);
    const shown = Mark.shown(part);
    return shown === null ? this.#show(part) : (shown ?? part);
  }

  #show(part: object): object {
    // A working copy of a batch will be written to.
    const copy = Object.isFrozen(part) ? ObjectCopy.of(part, this.#keptView) : undefined;
    return copy === undefined ? ObjectView.of(part, this) : Mark.show(part, copy);
  }

  readonly #keptView = (part: object): object =>
    Array.isArray(part) && part.length <= SHORT && this.hasFrozenItems(part)
      ? new ListCopy(new ListView(part, this))
      : viewOf(part, this);

  /** For rules of derived fields. What they read may still change, so no view of it is cached. */
  readonly #unkept: Views = {
    methods: arrayMethods,
    view: (part) => (this.freezing === "objects" && isOpen(part) ? viewOf(part, this.#unkept) : part),
    hasFrozenItems: (items) => this.hasFrozenItems(items),
  };

  /** Whether none of an array's items can be written to. */
  hasFrozenItems(array: readonly unknown[]): boolean {
    if (this.freezing === false) return false;
    if (array.length >= LONG && this.#isNoted(array)) return true;
    for (let i = 0; i < array.length; i++) {
      const item = array[i];
      if (typeof item !== "object" || item === null) continue;
      if (this.freezing === "objects" ? isOpen(item) : !Object.isFrozen(item)) return false;
    }
    if (array.length >= LONG) this.#note(array);
    return true;
  }

  #isNoted(array: object): boolean {
    return Items.areFrozen(array) || (Object.isFrozen(array) && this.#frozenItems.has(array));
  }

  #note(array: object): void {
    // A later JavaScript may refuse to mark a frozen object.
    if (this.freezing === "objects" && !Object.isFrozen(array)) Items.note(array, true);
    else this.#frozenItems.add(array);
  }

  /**
   * `value` was made from `base`, and differs from it at the indices `assigned` and those of
   * `children` only.
   */
  inheritFrozenItems(
    base: object,
    value: readonly unknown[],
    assigned: readonly Key[] = [],
    children: readonly { readonly key: Key }[] = [],
  ): void {
    if (value.length < LONG || !this.#isNoted(base)) return;
    for (const key of assigned) if (willBeOpen(value[key as number])) return;
    for (const { key } of children) if (willBeOpen(value[key as number])) return;
    this.#note(value);
  }

  /** A value was put below new arrays. */
  noteInserted(arrays: readonly { readonly value: object }[], value: unknown): void {
    if (!willBeOpen(value)) return;
    for (const { value: array } of arrays) {
      Items.note(array, false);
      this.#frozenItems.delete(array);
    }
  }

  /**
   * A part of a state for code that may write to what it gets: itself where that is frozen through,
   * else a copy down to what is. A write to the copy of a list has no effect on the state; one to
   * an object throws, where objects are frozen.
   */
  writableCopy(part: object): object {
    if (this.freezing === "objects" ? !isOpen(part) : Object.isFrozen(part)) return part;
    const copy: object = Array.isArray(part) ? [...part] : { ...part };
    for (const [key, value] of Object.entries(copy))
      if (isContainer(value)) Reflect.set(copy, key, this.writableCopy(value));
    freezeOne(copy, this.freezing);
    return copy;
  }

  /** What `compute` makes of a container. A rule that sorts what it reads does so on a copy. */
  compute(compute: (container: unknown) => unknown, container: object): unknown {
    if (this.freezing === false) return compute(this.writableCopy(container));
    const isFrozen = Object.isFrozen(container);
    if (isFrozen && !isOpen(container)) return compute(container);
    try {
      return compute(isFrozen ? this.#unkept.view(container) : ObjectView.of(container, this.#unkept));
    } catch (error) {
      if (this.freezing === "objects" && isFrozenWrite(error)) return compute(this.writableCopy(container));
      throw error;
    }
  }
}

/** Whether something in a value can be written to once it is frozen. */
function willBeOpen(value: unknown): boolean {
  if (!isContainer(value)) return false;
  if (Object.isFrozen(value)) return isOpen(value);
  return staysOpen(value) || Object.values(value).some(willBeOpen);
}

/** Whether nothing in a value can be written to, in the engine's values and in foreign ones. */
export function isDeepFrozen(value: object): boolean {
  return Object.isFrozen(value) && Object.values(value).every((part) => !isContainer(part) || isDeepFrozen(part));
}
