// What `filter` and `map` give of a draft's list: a new list, most of whose items are those of the
// list it was made from.
//
// It is a list of drafts that are made late:
//
//   source        a  b' c  d      b' is a draft, the others are as the base has them
//   draft.filter()   |     |
//   selection        b'    d      from: [1, 3], the places that its items have in the source
//
// Invariants:
// 1. An item with a place (`from` at least 0) is what the source has there now: a draft as soon as
//    there is one, else the base's own. Reading it reads it in the source.
// 2. The source's items keep their places as long as these count: before one is moved, removed or
//    replaced, each selection takes drafts of all its items, and its places count no more.
// 3. An item without a place is a value that `map` got, or that was put in later, as in any list
//    that is new.

import { ArrayNode } from "./array.ts";
import { flawOf } from "./error.ts";
import { nodeOf, type Node } from "./node.ts";
import { isContainer, type KeptContainer } from "./touched.ts";
import type { Gathering } from "./views.ts";

const EMPTY: readonly unknown[] = [];

export class Selection extends ArrayNode implements Gathering {
  declare copy: unknown[];
  readonly source: ArrayNode;
  /** The place in the source of each item, -1 for none; undefined when no place counts any more. */
  from: number[] | undefined = [];
  /** The selection that this one is a selection of. */
  readonly #of: Selection | undefined;
  /** Whether there is an item of which a draft may have to be made. */
  #hasItems = false;
  /** Whether `map` got something that cannot be in a state. */
  #hasOthers = false;

  constructor(list: ArrayNode) {
    super(list.scope, EMPTY, true, undefined, "");
    this.copy = [];
    this.#of = list instanceof Selection ? list : undefined;
    this.source = this.#of?.source ?? list;
    (this.source.selections ??= []).push(this);
    (this.scope.selections ??= []).push(this);
  }

  keep(index: number, at: number): void {
    const place = this.#of === undefined ? index : this.#of.placeOf(index);
    if (this.from === undefined || place < 0) return this.put((this.#of ?? this.source).item(index), at);
    const item = this.source.latest[place];
    this.#hasItems ||= isContainer(item);
    this.copy[at] = item;
    this.from[at] = place;
  }

  put(value: unknown, at: number): void {
    this.copy[at] = value;
    if (this.from !== undefined) this.from[at] = -1;
    if (isContainer(value)) this.#hasOthers ||= nodeOf(value)?.scope !== this.scope && flawOf(value) !== undefined;
  }

  /** The list that was gathered: a plain one where nothing is gained by another. */
  list(length: number): unknown[] {
    this.copy.length = length;
    if (this.from !== undefined) this.from.length = length;
    if (this.from !== undefined && this.#hasItems && !this.#hasOthers) return this.proxy as unknown[];
    this.takeDrafts();
    return this.copy;
  }

  /** The place of an item in the source. */
  placeOf(index: number): number {
    return this.from?.[index] ?? -1;
  }

  /** The source is about to change the places of its items. */
  takeDrafts(): void {
    const { from, copy } = this;
    this.from = undefined;
    from?.forEach((place, index) => {
      if (place >= 0) copy[index] = this.source.item(place);
    });
  }

  /** Has every item as it is now. From here on, what its items become is not written to it. */
  update(): void {
    this.from?.forEach((place, index) => {
      if (place >= 0) this.copy[index] = this.source.latest[place];
    });
  }

  override item(index: number): unknown {
    const place = this.placeOf(index);
    return place < 0 ? super.item(index) : (this.copy[index] = this.source.item(place));
  }

  override readable(index: number): unknown {
    const place = this.placeOf(index);
    return place < 0 ? super.readable(index) : this.source.readable(place);
  }

  override toSearch(): readonly unknown[] {
    this.check();
    this.update();
    return this.copy;
  }

  override get hasFrozenItems(): boolean {
    return false;
  }

  override gather(): Gathering {
    return new Selection(this);
  }

  override reorder(order: readonly number[]): void {
    this.writes += 1;
    const { from, copy } = this;
    if (from !== undefined) this.from = order.map((index) => from[index] ?? -1);
    this.copy = order.map((index) => copy[index]);
  }

  protected override record(start: number, removed: number, inserted: number): void {
    this.writes += 1;
    const { from } = this;
    const rest = from?.splice(start);
    if (from === undefined || rest === undefined) return;
    for (let i = 0; i < inserted; i++) from.push(-1);
    for (let i = removed; i < rest.length; i++) from.push(rest[i] as number);
  }

  /** The containers of the base that have a place, after the operation. */
  kept(): KeptContainer[] {
    const { source } = this;
    const kept: KeptContainer[] = [];
    this.from?.forEach((place, index) => {
      const item = this.copy[index];
      if (place < 0 || !isContainer(item)) return;
      const node: Node | undefined = nodeOf(item);
      if (node === undefined) {
        const key = source.splices === undefined ? place : source.splices.toBase(place);
        kept.push({ base: item, parent: source, key, finalized: item, touched: undefined });
      } else if (!node.isNew) kept.push(node);
    });
    return kept;
  }
}
