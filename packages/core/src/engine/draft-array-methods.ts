// The methods of an array's draft that are not left to Array.prototype (which works on a draft as on any array, one item at a time).
//
// - Searches run over the items as they are and make a draft only of what they return. Their callbacks must not write: an item that nobody
//   has a draft of yet comes as the plain object of the state.
// - Mutators change the copy at once and record what they did.
// - `forEach` and iteration hand out drafts; these are here for speed only.

import type { ArrayNode } from "./draft-array.ts";
import { isContainer, nodeOf } from "./draft-node.ts";

type Test = (item: unknown, index: number, array: unknown) => unknown;

function of(self: unknown[]): ArrayNode {
  const node = nodeOf(self) as ArrayNode;
  node.recipe.check();
  return node;
}

/** The first index, in steps of 1 or -1, whose item passes the test (or fails it); -1 when there is none. */
function seek(self: unknown[], node: ArrayNode, step: 1 | -1, test: Test, thisArg: unknown, passes: boolean, holes: boolean): number {
  const { length } = node.searched();
  for (let i = step === 1 ? 0 : length - 1; i >= 0 && i < length; i += step) {
    const item = node.latest[i];
    if (item === undefined && !holes && !(i in node.latest)) continue;
    if (Boolean(test.call(thisArg, item, i, self)) === passes) return i;
  }
  return -1;
}

/** An argument `start` or `end` of an array method, as an index. */
function clamp(position: number | undefined, length: number, missing: number): number {
  if (position === undefined) return missing;
  const index = Math.trunc(Number(position)) || 0;
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
}

function admitAll(node: ArrayNode, items: readonly unknown[], start: number): unknown[] {
  return items.map((item, offset) => node.recipe.admit(item, node, start + offset));
}

function splice(node: ArrayNode, start: number, removed: number, items: readonly unknown[]): unknown[] {
  const admitted = admitAll(node, items, start);
  // What is taken out stays a draft, and works after it is put back.
  for (let i = start; i < start + removed; i++) node.item(i);
  return node.write(start, removed, admitted.length).splice(start, removed, ...admitted);
}

/** What `indexOf` and its like have to look for: what stands in the place of a plain value that was put in. */
function standIn(node: ArrayNode, value: unknown): unknown {
  return (isContainer(value) && node.recipe.given(value)?.proxy) || value;
}

const methods = {
  find(this: unknown[], test: Test, thisArg?: unknown) {
    const node = of(this);
    const index = seek(this, node, 1, test, thisArg, true, true);
    return index < 0 ? undefined : node.item(index);
  },
  findIndex(this: unknown[], test: Test, thisArg?: unknown) {
    return seek(this, of(this), 1, test, thisArg, true, true);
  },
  findLast(this: unknown[], test: Test, thisArg?: unknown) {
    const node = of(this);
    const index = seek(this, node, -1, test, thisArg, true, true);
    return index < 0 ? undefined : node.item(index);
  },
  findLastIndex(this: unknown[], test: Test, thisArg?: unknown) {
    return seek(this, of(this), -1, test, thisArg, true, true);
  },
  some(this: unknown[], test: Test, thisArg?: unknown) {
    return seek(this, of(this), 1, test, thisArg, true, false) >= 0;
  },
  every(this: unknown[], test: Test, thisArg?: unknown) {
    return seek(this, of(this), 1, test, thisArg, false, false) < 0;
  },
  filter(this: unknown[], test: Test, thisArg?: unknown) {
    const node = of(this);
    const { length } = node.searched();
    const found: unknown[] = [];
    for (let i = 0; i < length; i++) {
      const item = node.latest[i];
      if (item === undefined && !(i in node.latest)) continue;
      if (test.call(thisArg, item, i, this)) found.push(node.item(i));
    }
    return found;
  },
  indexOf(this: unknown[], value: unknown, ...from: number[]) {
    const node = of(this);
    return node.searched().indexOf(standIn(node, value), ...from);
  },
  lastIndexOf(this: unknown[], value: unknown, ...from: number[]) {
    const node = of(this);
    const items = node.searched();
    return from.length === 0 ? items.lastIndexOf(standIn(node, value)) : items.lastIndexOf(standIn(node, value), from[0]);
  },
  includes(this: unknown[], value: unknown, ...from: number[]) {
    const node = of(this);
    return node.searched().includes(standIn(node, value), ...from);
  },
  forEach(this: unknown[], visit: Test, thisArg?: unknown) {
    const node = of(this);
    const { length } = node.latest;
    for (let i = 0; i < length; i++) if (i in node.latest) visit.call(thisArg, node.item(i), i, this);
  },
  *values(this: unknown[]) {
    const node = of(this);
    for (let i = 0; i < node.latest.length; i++) yield node.item(i);
  },
  *entries(this: unknown[]) {
    const node = of(this);
    for (let i = 0; i < node.latest.length; i++) yield [i, node.item(i)];
  },
  push(this: unknown[], ...items: unknown[]) {
    const node = of(this);
    const { length } = node.latest;
    const admitted = admitAll(node, items, length);
    return node.write(length, 0, admitted.length).push(...admitted);
  },
  pop(this: unknown[]) {
    const node = of(this);
    const { length } = node.latest;
    return length === 0 ? undefined : splice(node, length - 1, 1, [])[0];
  },
  shift(this: unknown[]) {
    const node = of(this);
    return node.latest.length === 0 ? undefined : splice(node, 0, 1, [])[0];
  },
  unshift(this: unknown[], ...items: unknown[]) {
    const node = of(this);
    splice(node, 0, 0, items);
    return node.latest.length;
  },
  splice(this: unknown[], ...[start, count, ...items]: [number?, number?, ...unknown[]]) {
    const node = of(this);
    const { length } = node.latest;
    const from = clamp(start, length, 0);
    const removed = arguments.length < 2 ? (arguments.length === 0 ? 0 : length - from) : clamp(Math.max(0, Number(count) || 0), length - from, 0);
    return splice(node, from, removed, items);
  },
  sort(this: unknown[], compare?: (a: unknown, b: unknown) => number) {
    const node = of(this);
    if (node.latest.length > 1) node.reorder([...node.latest].sort(compare));
    return this;
  },
  reverse(this: unknown[]) {
    const node = of(this);
    if (node.latest.length > 1) node.reorder([...node.latest].reverse());
    return this;
  },
  fill(this: unknown[], value: unknown, start?: number, end?: number) {
    const node = of(this);
    const { length } = node.latest;
    const from = clamp(start, length, 0);
    const count = Math.max(0, clamp(end, length, length) - from);
    if (count > 0) node.write(from, count, count).fill(node.recipe.admit(value, node, from), from, from + count);
    return this;
  },
  copyWithin(this: unknown[], target: number, start?: number, end?: number) {
    const node = of(this);
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
