// The methods of an array's draft that are not left to Array.prototype (which works on a draft as
// on any array, one item at a time).
//
// - Searches, `map` and `reduce` run over the items as they are, and make a draft only of what they
//   return. A callback gets an item as it is where all of it is frozen, and a view (`views.ts`)
//   where it holds an open list. A write to either makes the operation fail, with an explanation.
//   It gets a draft of an item that has one, and where states are not frozen.
// - `filter` and `map` give drafts of the items that they keep.
// - Mutators change the copy at once and record what they did.
// - `forEach` and iteration hand out drafts; these are here for speed only.
// (Long because it is a list of methods.)

import type { ArrayNode } from "./array.ts";
import { DraftError, thrownIn } from "./error.ts";
import { LIST, originalOf, readOnly, type List } from "./views.ts";
import { nodeOf } from "./node.ts";
import { added } from "./touched.ts";

type Test = (item: unknown, index: number, array: unknown) => unknown;

/** For what only reads: of a draft or of a view. */
function listOf(self: unknown[]): List {
  const list = (self as unknown as { readonly [LIST]: List })[LIST];
  list.check();
  return list;
}

/** For what writes. */
function nodeOfArray(self: unknown[]): ArrayNode {
  const node = nodeOf(self) as ArrayNode | undefined;
  if (node === undefined) throw readOnly();
  node.check();
  return node;
}

/**
 * The first index whose item passes the test, or (`wanted` false) fails it; -1 when there is none.
 * Holes are items to `find` and `findIndex` only: an operation may make some, a state has none.
 */
function firstIndex(method: string, self: unknown[], node: List, test: Test, thisArg: unknown, wanted = true): number {
  const { length } = node.toSearch();
  const { hasFrozenItems } = node;
  const skipsHoles = method !== "find" && method !== "findIndex";
  try {
    for (let i = 0; i < length; i++) {
      const item = hasFrozenItems ? node.latest[i] : node.readable(i);
      if (item === undefined && skipsHoles && !(i in node.latest)) continue;
      const result = thisArg === undefined ? test(item, i, self) : test.call(thisArg, item, i, self);
      if (!result !== wanted) return i;
    }
  } catch (error) {
    throw thrownIn(method, error);
  }
  return -1;
}

/**
 * The same, where all items may be seen as they are. It is short, so that V8 inlines it and the
 * callback.
 */
function firstRaw(method: string, self: unknown[], list: List, test: Test): number {
  if (list.isFixed) return firstFixed(method, self, list.latest, test);
  const items = list.toSearch();
  const { length } = items;
  const { writes } = list;
  try {
    for (let i = 0; i < length; i++) {
      if (test(items[i], i, self)) return i;
      // The callback may have changed the items that follow.
      if (list.writes !== writes) throw changedBy(method);
    }
  } catch (error) {
    throw thrownIn(method, error);
  }
  return -1;
}

/** The same, of a list that cannot change. Without a check for each item it takes a tenth less. */
function firstFixed(method: string, self: unknown[], items: readonly unknown[], test: Test): number {
  const { length } = items;
  try {
    for (let i = 0; i < length; i++) if (test(items[i], i, self)) return i;
  } catch (error) {
    throw thrownIn(method, error);
  }
  return -1;
}

/** The last one. */
function lastIndex(method: string, self: unknown[], node: List, test: Test, thisArg: unknown): number {
  try {
    for (let i = node.toSearch().length - 1; i >= 0; i--) if (test.call(thisArg, node.readable(i), i, self)) return i;
  } catch (error) {
    throw thrownIn(method, error);
  }
  return -1;
}

/**
 * Throws where the callback changed the list: a method finds what it gives out at the place that
 * the callback saw.
 */
function asSeen(method: string, list: List, writes: number): void {
  if (list.writes !== writes) throw changedBy(method);
}

function changedBy(method: string): DraftError {
  return new DraftError(
    `a callback of ${method}() put items into the list that it goes through, or took some out; ` +
      "keep in mind what to change, and change it afterwards",
  );
}

function integer(value: unknown): number {
  return Math.trunc(Number(value)) || 0;
}

/** An argument `start` or `end` of an array method, as an index. */
function clamp(position: unknown, length: number, missing: number): number {
  if (position === undefined) return missing;
  const index = integer(position);
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
}

/** `args` holds what to insert from position `first` on. */
function splice(node: ArrayNode, start: number, removed: number, args: readonly unknown[], first: number): unknown[] {
  // What is taken out stays a draft, and works after it is put back.
  for (let i = start; i < start + removed; i++) node.item(i);
  const { length } = args;
  let items: unknown[] | undefined;
  for (let i = first; i < length; i++) items = added(items, node.scope.toStored(args[i], node, start + i - first));
  if (items === undefined) return node.write(start, removed, 0).splice(start, removed);
  if (removed === 0) {
    node.insert(start, items);
    return [];
  }
  return node.write(start, removed, items.length).splice(start, removed, ...items);
}

/** Compares the items at two indices, as they are before the sort. */
function byItems(node: ArrayNode, compare: (a: unknown, b: unknown) => number): (a: number, b: number) => number {
  const items = Array.from(node.latest, (_, index) => node.readable(index));
  return (a, b) => compare(items[a], items[b]);
}

/** As an array's own sort compares without a function. */
function byText(node: ArrayNode): (a: number, b: number) => number {
  // oxlint-disable-next-line typescript/no-base-to-string -- an object is "[object Object]" to it
  const texts = Array.from(node.latest, (item) => (item === undefined ? undefined : String(item)));
  return (a, b) => {
    const one = texts[a];
    const other = texts[b];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    return one < other ? -1 : Number(one > other);
  };
}

/** What for...of goes through; faster than a generator. */
class Items {
  // A field that is private to the language is slower.
  declare private readonly list: List;
  declare private index: number;

  constructor(list: List) {
    this.list = list;
    this.index = 0;
  }

  /** As of any iterator. */
  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<unknown> {
    const { list, index } = this;
    list.check();
    if (index < list.latest.length) {
      this.index = index + 1;
      return { done: false, value: list.item(index) };
    }
    this.index = Infinity;
    return { done: true, value: undefined };
  }
}

const methods = {
  find(this: unknown[], test: Test, thisArg?: unknown) {
    const node = listOf(this);
    const { writes } = node;
    const index =
      thisArg === undefined && node.hasFrozenItems
        ? firstRaw("find", this, node, test)
        : firstIndex("find", this, node, test, thisArg);
    asSeen("find", node, writes);
    return index < 0 ? undefined : node.item(index);
  },
  findIndex(this: unknown[], test: Test, thisArg?: unknown) {
    const node = listOf(this);
    return thisArg === undefined && node.hasFrozenItems
      ? firstRaw("findIndex", this, node, test)
      : firstIndex("findIndex", this, node, test, thisArg);
  },
  findLast(this: unknown[], test: Test, thisArg?: unknown) {
    const node = listOf(this);
    const { writes } = node;
    const index = lastIndex("findLast", this, node, test, thisArg);
    asSeen("findLast", node, writes);
    return index < 0 ? undefined : node.item(index);
  },
  findLastIndex(this: unknown[], test: Test, thisArg?: unknown) {
    return lastIndex("findLastIndex", this, listOf(this), test, thisArg);
  },
  some(this: unknown[], test: Test, thisArg?: unknown) {
    const node = listOf(this);
    return thisArg === undefined && node.hasFrozenItems && !node.mayHaveHoles
      ? firstRaw("some", this, node, test) >= 0
      : firstIndex("some", this, node, test, thisArg) >= 0;
  },
  every(this: unknown[], test: Test, thisArg?: unknown) {
    return firstIndex("every", this, listOf(this), test, thisArg, false) < 0;
  },
  filter(this: unknown[], test: Test, thisArg?: unknown) {
    const list = listOf(this);
    const { writes } = list;
    const found = list.gather();
    let length = 0;
    const take: Test = (item, index, array) => {
      if (test.call(thisArg, item, index, array)) found.keep(index, length++);
      return false;
    };
    firstIndex("filter", this, list, take, undefined);
    asSeen("filter", list, writes);
    return found.list(length);
  },
  map(this: unknown[], change: Test, thisArg?: unknown) {
    const list = listOf(this);
    const { length } = list.latest;
    const { writes } = list;
    const made = list.gather();
    const take: Test = (item, index, array) => {
      const value = change.call(thisArg, item, index, array);
      if (value === item) made.keep(index, index);
      else made.put(typeof value === "object" && value !== null ? list.withDrafts(value, index) : value, index);
      return false;
    };
    firstIndex("map", this, list, take, undefined);
    asSeen("map", list, writes);
    return made.list(length);
  },
  reduce(this: unknown[], ...args: [(sum: unknown, item: unknown, index: number, array: unknown) => unknown, unknown]) {
    const list = listOf(this);
    const [add, start] = args;
    // What gathers items may be written to: it gets drafts.
    if (args.length < 2 || (typeof start === "object" && start !== null))
      return Reflect.apply(Array.prototype.reduce, this, args);
    let sum = start;
    const take: Test = (item, index, array) => {
      sum = add(sum, item, index, array);
      return false;
    };
    firstIndex("reduce", this, list, take, undefined);
    const at = typeof sum === "object" && sum !== null ? list.toSearch().indexOf(originalOf(sum)) : -1;
    return at < 0 ? sum : list.item(at);
  },
  indexOf(this: unknown[], value: unknown, ...from: number[]) {
    const node = listOf(this);
    return node.toSearch().indexOf(node.storedAs(value), ...from);
  },
  lastIndexOf(this: unknown[], value: unknown, ...from: number[]) {
    const node = listOf(this);
    const items = node.toSearch();
    return from.length === 0
      ? items.lastIndexOf(node.storedAs(value))
      : items.lastIndexOf(node.storedAs(value), from[0]);
  },
  includes(this: unknown[], value: unknown, ...from: number[]) {
    const node = listOf(this);
    return node.toSearch().includes(node.storedAs(value), ...from);
  },
  forEach(this: unknown[], visit: Test, thisArg?: unknown) {
    const node = listOf(this);
    const { length } = node.latest;
    for (let i = 0; i < length; i++) {
      const item = node.item(i);
      if (item === undefined && !(i in node.latest)) continue;
      if (thisArg === undefined) visit(item, i, this);
      else visit.call(thisArg, item, i, this);
    }
  },
  values(this: unknown[]) {
    return new Items(listOf(this));
  },
  *entries(this: unknown[]) {
    const node = listOf(this);
    for (let i = 0; i < node.latest.length; i++) yield [i, node.item(i)];
  },
  push(this: unknown[], ...items: unknown[]) {
    const node = nodeOfArray(this);
    splice(node, node.latest.length, 0, items, 0);
    return node.latest.length;
  },
  pop(this: unknown[]) {
    const node = nodeOfArray(this);
    const { length } = node.latest;
    return length === 0 ? undefined : splice(node, length - 1, 1, [], 0)[0];
  },
  shift(this: unknown[]) {
    const node = nodeOfArray(this);
    return node.latest.length === 0 ? undefined : splice(node, 0, 1, [], 0)[0];
  },
  unshift(this: unknown[], ...items: unknown[]) {
    const node = nodeOfArray(this);
    splice(node, 0, 0, items, 0);
    return node.latest.length;
  },
  splice(this: unknown[], ...args: unknown[]) {
    const node = nodeOfArray(this);
    const { length } = node.latest;
    const start = clamp(args[0], length, 0);
    const most = length - start;
    const removed = args.length > 1 ? Math.min(most, Math.max(0, integer(args[1]))) : args.length === 1 ? most : 0;
    return splice(node, start, removed, args, 2);
  },
  sort(this: unknown[], compare?: (a: unknown, b: unknown) => number) {
    const node = nodeOfArray(this);
    const { length } = node.latest;
    if (length <= 1) return this;
    const { writes } = node;
    const order = Array.from({ length }, (_, index) => index);
    try {
      order.sort(compare === undefined ? byText(node) : byItems(node, compare));
      asSeen("sort", node, writes);
      node.reorder(order);
    } catch (error) {
      throw thrownIn("sort", error);
    }
    return this;
  },
  reverse(this: unknown[]) {
    const node = nodeOfArray(this);
    if (node.latest.length > 1) node.reorder(Array.from(node.latest, (_, index) => index).reverse());
    return this;
  },
  fill(this: unknown[], value: unknown, start?: number, end?: number) {
    const node = nodeOfArray(this);
    const { length } = node.latest;
    const from = clamp(start, length, 0);
    const count = Math.max(0, clamp(end, length, length) - from);
    if (count > 0) node.write(from, count, count).fill(node.scope.toStored(value, node, from), from, from + count);
    return this;
  },
  copyWithin(this: unknown[], target: number, start?: number, end?: number) {
    const node = nodeOfArray(this);
    const { length } = node.latest;
    const to = clamp(target, length, 0);
    const from = clamp(start, length, 0);
    const count = Math.min(clamp(end, length, length) - from, length - to);
    if (count <= 0) return this;
    // The same item in two places is the same draft.
    for (let i = from; i < from + count; i++) node.item(i);
    node.write(to, count, count).copyWithin(to, from, from + count);
    return this;
  },
};

/** By property key: what a draft has instead of the method of Array.prototype. */
export const arrayMethods: Readonly<Record<PropertyKey, unknown>> = Object.assign(Object.create(null), methods, {
  [Symbol.iterator]: methods.values,
});
