// The draft of an array. A draft of an item is put in the item's place (the array is copied for
// it), so that it moves with the item and is what a search meets. Every write is recorded as a
// splice.
//
// (Long because it is one class: the traps of a proxy, and what they do.)

import { arrayMethods } from "./array-methods.ts";
import { DraftError } from "./error.ts";
import { LIST, originalOf, PlainGathering, type Gathering, type List } from "./views.ts";
import { INSPECT, Node, NODE, nodeOf, placeOf, type DraftScope } from "./node.ts";
import type { Selection } from "./selection.ts";
import { withDrafts } from "./parts.ts";
import { Splices } from "./patches/splices.ts";
import { added, isContainer, type Container, type Key } from "./touched.ts";
import { isDeepFrozen } from "./frozen-parts.ts";

/** What a proxy needs to pass for an array; `console.log` in Node looks here, too. */
const TARGET: unknown[] = Object.assign([], {
  [INSPECT](this: unknown[]) {
    return [...this];
  },
});

/** Up to this many drafts of items are always listed. */
const FEW = 2;

/** Drafts are listed up to one for this many items. Of more, only the touched ones are listed. */
const MANY = 16;

export class ArrayNode extends Node implements List {
  declare readonly base: readonly unknown[];
  declare copy: unknown[] | undefined;
  /** Drafts of the base's items, while these are few. */
  declare children: Node[] | undefined;
  /** How many there are. */
  declare drafts: number;
  /** Those that were written to, or have drafts of their own. */
  declare touchedItems: Node[] | undefined;
  declare splices: Splices | undefined;
  /** Whether it was sorted or reversed: then one replacement is its patch. */
  declare reordered: boolean;
  /** Lists of items of this one, which know them by their places. */
  declare selections: Selection[] | undefined;
  declare writes: number;
  /** Known after the first look. */
  declare frozenItems: boolean | undefined;

  constructor(scope: DraftScope, base: readonly unknown[], isNew: boolean, parent: Node | undefined, key: Key) {
    super(scope, base, TARGET, isNew, parent, key);
    this.copy = undefined;
    this.children = undefined;
    this.drafts = 0;
    this.touchedItems = undefined;
    this.splices = undefined;
    this.reordered = false;
    this.selections = undefined;
    this.writes = 0;
    this.frozenItems = undefined;
  }

  get latest(): readonly unknown[] {
    return this.copy ?? this.base;
  }

  check(): void {
    this.scope.check();
  }

  get isFixed(): boolean {
    return false;
  }

  get mayHaveHoles(): boolean {
    return this.splices !== undefined;
  }

  withDrafts(value: object, index: number): unknown {
    const item = this.readable(index);
    if (!isContainer(item) || nodeOf(item) !== undefined || nodeOf(value) !== undefined) return value;
    return withDrafts(value, originalOf(item) as Container, () => this.item(index));
  }

  /** A draft stands in the place of a plain value that was put in. */
  storedAs(value: unknown): unknown {
    return (isContainer(value) ? this.scope.insertedDraft(value)?.proxy : undefined) ?? originalOf(value);
  }

  /**
   * The items to search in. V8 reads frozen arrays slowly, and a later write needs the copy anyway.
   */
  toSearch(): readonly unknown[] {
    this.scope.check();
    return this.copy ?? (Object.isFrozen(this.base) ? this.writable() : this.base);
  }

  /** Whether callbacks may see all items as they are: none can be written to. */
  get hasFrozenItems(): boolean {
    return (this.frozenItems ??= !this.isNew && this.scope.frozen.hasFrozenItems(this.base));
  }

  /** The item as a callback may see it: a draft where it could be written to. */
  readable(index: number): unknown {
    const item = this.latest[index];
    if (!isContainer(item)) return item;
    // An item of the base is no draft. Comparing is faster than asking the object.
    const isOfBase = !this.isNew && item === this.base[index];
    if (!isOfBase && nodeOf(item) !== undefined) return item;
    // A plain value that was put in is the caller's, and read as they change it: no draft takes its
    // place.
    if (this.isNew) return isDeepFrozen(item) ? item : this.scope.draftInserted(item).proxy;
    return this.scope.frozen.freezing === false ? this.item(index) : this.scope.frozen.view(item);
  }

  get(_target: object, key: string | symbol): unknown {
    if (key === NODE || key === LIST) return this;
    this.scope.check();
    if (key === "length") return this.latest.length;
    const method = arrayMethods[key];
    if (method !== undefined) return method;
    const value = (this.latest as unknown as Record<PropertyKey, unknown>)[key];
    if (!isContainer(value)) return value;
    const index = indexOf(key);
    return index < 0 ? value : this.item(index);
  }

  /** The item as the operation sees it: a draft, unless it is a primitive. */
  item(index: number): unknown {
    this.scope.check();
    const value = (this.copy ?? this.base)[index];
    if (typeof value !== "object" || value === null) return value;
    if (!this.isNew && this.splices === undefined && value === this.base[index]) return this.draft(value, index, index);
    if (nodeOf(value) !== undefined) return value;
    if (!this.isNew) return this.draft(value, index, this.splices === undefined ? index : this.splices.toBase(index));
    return (this.writable()[index] = this.scope.draftInserted(value).proxy);
  }

  private draft(value: object, index: number, from: number): object {
    const node = this.scope.draft(value, this, from);
    const copy = this.writable();
    if (from >= 0) {
      this.drafts += 1;
      if (this.drafts <= FEW || this.drafts * MANY <= this.base.length) this.children = added(this.children, node);
    }
    return (copy[index] = node.proxy);
  }

  /** Whether `children` lacks some of the drafts of items, because there are too many. */
  get hasManyDrafts(): boolean {
    return this.drafts > (this.children?.length ?? 0);
  }

  override noteTouched(item: Node): void {
    if ((item.key as number) >= 0) this.touchedItems = added(this.touchedItems, item);
  }

  /** Whether the base's item at an index is where the base has it, however far that was shifted. */
  stillHas(index: number): boolean {
    return index >= 0 && (this.splices === undefined || this.splices.toPresent(index) >= 0);
  }

  private writable(): unknown[] {
    this.touch();
    return (this.copy ??= [...this.base]);
  }

  set(_target: object, key: string | symbol, value: unknown): boolean {
    this.scope.check();
    if (key === "length") return this.setLength(Number(value));
    const index = indexOf(key);
    if (index < 0) throw new DraftError(`A draft of an array has items only: "${String(key)}" cannot be set`);
    const stored = this.scope.toStored(value, this, index);
    const { length } = this.latest;
    if (index < length && stored === this.latest[index] && index in this.latest) return true;
    const from = Math.min(index, length);
    this.write(from, Math.min(1, length - from), index - from + 1)[index] = stored;
    return true;
  }

  deleteProperty(_target: object, key: string | symbol): boolean {
    this.scope.check();
    if (key === "length") return false;
    if (Object.hasOwn(this.latest, key)) {
      const index = indexOf(key);
      Reflect.deleteProperty(this.write(index, 1, 1), index);
    }
    return true;
  }

  /**
   * Notes that `inserted` items replace `removed` ones at `start`. Returns the copy, which the
   * caller must change at once.
   */
  write(start: number, removed: number, inserted: number): unknown[] {
    this.resize(start, removed, inserted);
    return this.writable();
  }

  /** Puts items in. A list without a copy is copied with them: to grow would copy it again. */
  insert(start: number, items: readonly unknown[]): void {
    this.resize(start, 0, items.length);
    // `toSpliced` of a frozen array takes 50 times as long.
    if (this.copy !== undefined || Object.isFrozen(this.base)) this.writable().splice(start, 0, ...items);
    else {
      this.touch();
      this.copy = this.base.toSpliced(start, 0, ...items);
    }
  }

  private resize(start: number, removed: number, inserted: number): void {
    const { room } = this.scope;
    const length = this.latest.length - removed + inserted;
    if (!room.has(length)) room.fit(length, () => placeOf(this));
    this.record(start, removed, inserted);
  }

  /** The same items in another order: the index that each had. */
  reorder(order: readonly number[]): void {
    this.record(0, order.length, order.length);
    const latest = this.writable();
    this.copy = order.map((index) => latest[index]);
    this.reordered = true;
  }

  gather(): Gathering {
    return this.isNew || this.scope.frozen.freezing === false ? new PlainGathering(this) : this.scope.select(this);
  }

  protected record(start: number, removed: number, inserted: number): void {
    this.writes += 1;
    const { selections } = this;
    if (selections !== undefined) {
      this.selections = undefined;
      for (const selection of selections) selection.takeDrafts();
    }
    if (!this.isNew && removed + inserted > 0) (this.splices ??= new Splices()).record(start, removed, inserted);
  }

  unmovedChild(): undefined {}

  private setLength(length: number): boolean {
    const present = this.latest.length;
    if (length === present) return true;
    if (length >>> 0 !== length) throw new RangeError("Invalid array length");
    const from = Math.min(length, present);
    this.write(from, present - from, length - from).length = length;
    return true;
  }
}

/** The index that a property key names, or -1. */
function indexOf(key: string | symbol): number {
  if (typeof key !== "string") return -1;
  const index = Number(key);
  return index >>> 0 === index && index !== 0xffffffff && String(index) === key ? index : -1;
}
