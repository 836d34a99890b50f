// What code sees that must not write to what it reads: a callback of a search, a derive rule. An
// object that cannot be written to is shown as it is. A list that is open, and an object that holds
// one, is shown by a view: a proxy that reads it, and throws when it is written to. No copy, for V8
// searches frozen arrays 5 to 20 times slower, and a view takes 10 ns.
//
// An object of a state is seen again and again, so a frozen copy of it is kept, with views of its
// lists:
//
//   column { id, cards: [...] }  open        the state's own
//   copy   { id, cards: view }   frozen      what callbacks get, for as long as the column is in a
//                                            state
//
// (The view of a short list is a frozen copy, too: `list-copy.ts`.)
//
// The view of a list has the methods of a draft (`array-methods.ts`): what they need is `List`.
//
// (Long because the three kinds of views read each other.)

import { hasMoreKeys } from "../../json/copy-object.ts";
import { isOpen, Stamp } from "./freeze.ts";

/** Read from a draft of an array or from a view of one, gives what its methods work on. */
export const LIST: unique symbol = Symbol("opstate.list");

/** What the methods of an array need: its items, and how code sees them. */
export interface List {
  readonly latest: readonly unknown[];
  /** Whether callbacks may see all items as they are: none can be written to. */
  readonly hasFrozenItems: boolean;
  /** Whether some items may be missing. */
  readonly mayHaveHoles: boolean;
  /** Whether a callback cannot change which items there are. */
  readonly isFixed: boolean;
  /** How often items were added, removed, replaced or put in another order. */
  readonly writes: number;
  /** Throws where the list can no longer be used. */
  check(): void;
  /** The items to search in. */
  toSearch(): readonly unknown[];
  /** The item as a callback may see it. */
  readable(index: number): unknown;
  /** The item as it is given out. */
  item(index: number): unknown;
  /** A value that was made of an item, with drafts of that item's parts in their place. */
  withDrafts(value: object, index: number): unknown;
  /** What stands among the items in the place of a value that code has. */
  storedAs(value: unknown): unknown;
  /** A new list of items of this one. */
  gather(): Gathering;
}

/** A new list while `filter` or `map` makes it. */
export interface Gathering {
  /** The item that the list has at `index` stands in the new list at `at`. */
  keep(index: number, at: number): void;
  put(value: unknown, at: number): void;
  /** The new list, once it is complete. */
  list(length: number): unknown[];
}

/** A plain list of what the list gives out. */
export class PlainGathering implements Gathering {
  readonly #from: List;
  readonly #items: unknown[] = [];

  constructor(from: List) {
    this.#from = from;
  }

  keep(index: number, at: number): void {
    this.#items[at] = this.#from.item(index);
  }

  put(value: unknown, at: number): void {
    this.#items[at] = value;
  }

  list(length: number): unknown[] {
    this.#items.length = length;
    return this.#items;
  }
}

/** Read from a view, gives the list that it shows. */
export const ORIGINAL: unique symbol = Symbol("opstate.original");

const TARGET: unknown[] = [];

/** `methods` are those of a draft, `view` is how code sees a part of a state. */
export interface Views {
  readonly methods: Readonly<Record<PropertyKey, unknown>>;
  view(part: object): object;
  hasFrozenItems(items: readonly unknown[]): boolean;
}

/** The traps of a proxy that can only be read. */
class ReadOnly {
  set(): never {
    throw readOnly();
  }

  defineProperty(): never {
    throw readOnly();
  }

  deleteProperty(): never {
    throw readOnly();
  }

  preventExtensions(): never {
    throw readOnly();
  }

  setPrototypeOf(): never {
    throw readOnly();
  }
}

export class ListView extends ReadOnly implements List, ProxyHandler<unknown[]> {
  readonly latest: readonly unknown[];
  readonly #views: Views;
  #hasFrozenItems: boolean | undefined;

  constructor(original: readonly unknown[], views: Views) {
    super();
    this.latest = original;
    this.#views = views;
  }

  // No fields: a view is made for each list that is looked at.
  get mayHaveHoles(): boolean {
    return false;
  }

  get isFixed(): boolean {
    return true;
  }

  get writes(): number {
    return 0;
  }

  get hasFrozenItems(): boolean {
    return (this.#hasFrozenItems ??= this.#views.hasFrozenItems(this.latest));
  }

  static of(original: readonly unknown[], views: Views): object {
    return new Proxy(TARGET, new ListView(original, views));
  }

  check(): void {}

  toSearch(): readonly unknown[] {
    return this.latest;
  }

  readable(index: number): unknown {
    const item = this.latest[index];
    return typeof item === "object" && item !== null && !this.hasFrozenItems ? this.#views.view(item) : item;
  }

  item(index: number): unknown {
    return this.readable(index);
  }

  storedAs(value: unknown): unknown {
    return originalOf(value);
  }

  withDrafts(value: object): unknown {
    return value;
  }

  gather(): Gathering {
    return new PlainGathering(this);
  }

  get(_target: unknown[], key: string | symbol): unknown {
    if (key === LIST) return this;
    if (key === ORIGINAL) return this.latest;
    if (key === "length") return this.latest.length;
    const method = this.#views.methods[key];
    if (method !== undefined) return method;
    const value = (this.latest as unknown as Record<PropertyKey, unknown>)[key];
    return typeof value === "object" && value !== null && !this.hasFrozenItems ? this.#views.view(value) : value;
  }

  has(_target: unknown[], key: string | symbol): boolean {
    return key in this.latest;
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.latest);
  }

  getOwnPropertyDescriptor(target: unknown[], key: string | symbol): PropertyDescriptor | undefined {
    if (!Object.hasOwn(this.latest, key)) return undefined;
    const isLength = key === "length";
    return { value: this.get(target, key), writable: isLength, enumerable: !isLength, configurable: !isLength };
  }
}

const OBJECT = {};

export class ObjectView extends ReadOnly implements ProxyHandler<object> {
  readonly #original: Readonly<Record<PropertyKey, unknown>>;
  readonly #views: Views;

  constructor(original: object, views: Views) {
    super();
    this.#original = original as Readonly<Record<PropertyKey, unknown>>;
    this.#views = views;
  }

  static of(original: object, views: Views): object {
    return new Proxy(OBJECT, new ObjectView(original, views));
  }

  get(_target: object, key: string | symbol): unknown {
    if (key === ORIGINAL) return this.#original;
    const value = this.#original[key];
    return typeof value === "object" && value !== null ? this.#views.view(value) : value;
  }

  has(_target: object, key: string | symbol): boolean {
    return key in this.#original;
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.#original);
  }

  getOwnPropertyDescriptor(target: object, key: string | symbol): PropertyDescriptor | undefined {
    if (!Object.hasOwn(this.#original, key)) return undefined;
    return { value: this.get(target, key), writable: false, enumerable: true, configurable: true };
  }
}

/** Of objects with more keys no copy is made. */
const MANY_KEYS = 32;

/** A frozen copy of an object, with views of what is open. It is read as fast as the object. */
export class ObjectCopy extends Stamp {
  readonly #original: object;

  private constructor(copy: object, original: object) {
    super(copy);
    this.#original = original;
  }

  /** Undefined of an object with many keys. `viewOf` gives what stands for an open part. */
  static of(original: object, viewOf: (part: object) => object): object | undefined {
    if (hasMoreKeys(original, MANY_KEYS)) return undefined;
    const copy: Record<string, unknown> = { ...original };
    for (const key in copy) {
      const part = copy[key];
      if (typeof part === "object" && part !== null && isOpen(part)) copy[key] = viewOf(part);
    }
    return Object.freeze(new ObjectCopy(copy, original));
  }

  static originalOf(value: object): object | undefined {
    return #original in value ? value.#original : undefined;
  }
}

/** A view that is not cached. */
export function viewOf(part: object, views: Views): object {
  return Array.isArray(part) ? ListView.of(part, views) : ObjectView.of(part, views);
}

/** As what a frozen array throws. */
export function readOnly(): TypeError {
  return new TypeError("This is read-only");
}

/** What a view shows; the value itself where it is no view. */
export function originalOf(value: unknown): unknown {
  return typeof value === "object" && value !== null
    ? (ObjectCopy.originalOf(value) ?? (value as { readonly [ORIGINAL]?: object })[ORIGINAL] ?? value)
    : value;
}
