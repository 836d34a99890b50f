// Names of things: what lets two states that took different ways say "the same card".
//
//   the root                   ""
//   columns[0]                 "/columns#0"             the item that stood first at the beginning
//   columns[0].cards[2]        "/columns#0/cards#2"     known by its list: when column 0 moves, its
//                                                       cards need nothing
//   a card that was added      "^ada:7.0"               the submission that put it there, and its
//                                                       number among what that submission added
//   people.bob (a record)      "/people/bob"            known by its key
//   columns[0].meta.color      "/columns#0/meta/color"  a field of the column, no thing of its own
//
// A name of the last kind is a place within a thing; all of them are one kind of text. Names are
// made lazily: a list that nobody rearranged takes no memory.
//
// Invariants:
// - A name means one thing for ever. A thing that is gone has no place.
// - `Names` is never written to after it was made.

import { isContainer, isObject, own } from "../../json/container.ts";
import { below, birthName, keysOf, ownerOf, splitItem, type Name } from "./spelling.ts";

/** What leads to a value from the root of a state. */
export type Tokens = readonly (string | number)[];

/**
 * What stands at an index of a list: the number of the index at which it stood when the list began,
 * a name of its own, or null for a value that is no container (such an item is its value).
 */
export type Entry = number | Name | null;

/** A state, and the names of what is in it. */
export interface NamedState {
  readonly state: unknown;
  readonly names: Names;
}

/** Which item of a list stands where. Only lists that were rearranged are held. */
export class Names {
  readonly #lists: ReadonlyMap<Name, readonly Entry[]>;
  /** By thing, the list that it stands in, where that is not the one it is named by. */
  readonly #homes: ReadonlyMap<Name, Name>;

  constructor(lists: ReadonlyMap<Name, readonly Entry[]> = new Map(), homes: ReadonlyMap<Name, Name> = new Map()) {
    this.#lists = lists;
    this.#homes = homes;
  }

  /** The entries of a list; undefined when each item stands where it stood at first. */
  entries(list: Name): readonly Entry[] | undefined {
    return this.#lists.get(list);
  }

  /** The name of the item at an index; undefined for a value that is no container. */
  itemOf(list: Name, index: number): Name | undefined {
    const entries = this.#lists.get(list);
    const entry = entries === undefined ? index : entries[index];
    return typeof entry === "number" ? `${list}#${entry}` : (entry ?? undefined);
  }

  /** The list that a thing stands in, and its index there. */
  homeOf(item: Name): { readonly list: Name; readonly index: number } | undefined {
    const named = splitItem(item);
    const list = this.#homes.get(item) ?? named?.list;
    if (list === undefined) return undefined;
    const entries = this.#lists.get(list);
    const entry = named?.list === list ? named.index : item;
    const index = entries === undefined ? (typeof entry === "number" ? entry : -1) : entries.indexOf(entry);
    return index < 0 ? undefined : { list, index };
  }

  /** With other entries in some lists. */
  with(changes: ReadonlyMap<Name, readonly Entry[]>): Names {
    if (changes.size === 0) return this;
    const lists = new Map(this.#lists);
    const homes = new Map(this.#homes);
    for (const [list, entries] of changes) {
      lists.set(list, entries);
      // The name of an item that came home says where it is.
      for (const entry of entries) if (typeof entry === "string") homes.set(entry, list);
    }
    for (const [list, entries] of changes)
      for (const entry of entries) if (typeof entry === "number") homes.delete(`${list}#${entry}`);
    return new Names(lists, homes);
  }
}

/** A thing under another name: its own lists go with it. Their items keep the names they have. */
export function rename(named: NamedState, item: Name, next: Name): Names {
  const { names } = named;
  const changes = new Map<Name, readonly Entry[]>();
  forEachList(valueOf(named, item), item, (list, items) => {
    const entries = items.map((child, index) => (isContainer(child) ? (names.itemOf(list, index) ?? null) : null));
    changes.set(next + list.slice(item.length), entries);
  });
  const home = names.homeOf(item);
  if (home === undefined) return names.with(changes);
  const entries = [...entriesOf(named, home.list)];
  entries[home.index] = next;
  return names.with(changes.set(home.list, entries));
}

/** Several things under other names: those that are there. */
export function renameAll(named: NamedState, names: ReadonlyMap<Name, Name>): NamedState {
  const changed = [...names].filter(([from, to]) => from !== to && locate(named, from) !== undefined);
  const give = (state: NamedState, from: Name, to: Name): NamedState => ({
    state: state.state,
    names: rename(state, from, to),
  });
  // Two may change names with one another, so each gets one in between that nothing else has.
  const between = changed.reduce((state, [from], index) => give(state, from, birthName("", index)), named);
  return changed.reduce((state, [, to], index) => give(state, birthName("", index), to), between);
}

/** The entries of a list, also of one that nobody rearranged. */
export function entriesOf(named: NamedState, list: Name): readonly Entry[] {
  const held = named.names.entries(list);
  if (held !== undefined) return held;
  const items = valueOf(named, list);
  return Array.isArray(items) ? items.map((_, index) => index) : [];
}

/**
 * How the entries of a list differ: the indices of those that left it, and whether others came or
 * those that stayed have another order. Where both begin or end alike, nothing is looked up.
 */
export function changedEntries(
  before: readonly Entry[],
  after: readonly Entry[],
): { readonly left: readonly number[]; readonly isMore: boolean } {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const present = new Set(after.slice(start, after.length - end));
  const left: number[] = [];
  const stayed: Entry[] = [];
  for (let index = start; index < before.length - end; index++) {
    const entry = before[index] ?? null;
    if (entry === null) continue;
    if (present.has(entry)) stayed.push(entry);
    else left.push(index);
  }
  let matched = 0;
  let isMore = false;
  for (let index = start; index < after.length - end; index++) {
    const entry = after[index] ?? null;
    if (entry === null) continue;
    if (entry === stayed[matched]) matched++;
    else isMore = true;
  }
  return { left, isMore };
}

/** The names of the things in a list, in order. Values that are no containers are left out. */
export function itemsOf(named: NamedState, list: Name): readonly Name[] {
  const items = valueOf(named, list);
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, index) => {
    const name = isContainer(item) ? named.names.itemOf(list, index) : undefined;
    return name === undefined ? [] : [name];
  });
}

/** The things within a thing, those within them too. */
export function partsOf(named: NamedState, item: Name): readonly Name[] {
  const parts: Name[] = [];
  forEachList(valueOf(named, item), item, (list) => {
    for (const part of itemsOf(named, list)) parts.push(part, ...partsOf(named, part));
  });
  return parts;
}

/** The lists of a value that belong to the thing itself: not those of its items. */
export function forEachList(value: unknown, name: Name, visit: (list: Name, items: readonly unknown[]) => void): void {
  if (Array.isArray(value)) visit(name, value);
  else if (isObject(value)) for (const key of Object.keys(value)) forEachList(value[key], below(name, key), visit);
}

/** Whether a place is within another one of the same thing, or is it. */
export function isWithin(place: Name, outer: Name): boolean {
  return place === outer || (place.startsWith(outer) && (place[outer.length] === "/" || place[outer.length] === "#"));
}

/** Where a thing or a place within one is now; undefined when it is not there. */
export function locate({ state, names }: NamedState, name: Name): Tokens | undefined {
  const tokens = pathOf(names, name);
  return tokens !== undefined && readAt(state, tokens) !== undefined ? tokens : undefined;
}

/** The value of a thing, or of a place within one; undefined when it is not there. */
export function valueOf({ state, names }: NamedState, name: Name): unknown {
  const tokens = pathOf(names, name);
  return tokens === undefined ? undefined : readAt(state, tokens);
}

function pathOf(names: Names, name: Name): Tokens | undefined {
  if (name === "") return [];
  const owner = ownerOf(name);
  if (owner !== name) {
    const path = pathOf(names, owner);
    return path === undefined ? undefined : [...path, ...keysOf(name)];
  }
  const home = names.homeOf(name);
  const path = home === undefined ? undefined : pathOf(names, home.list);
  return home === undefined || path === undefined ? undefined : [...path, home.index];
}

export function readAt(state: unknown, tokens: Tokens): unknown {
  let value = state;
  for (const token of tokens) {
    if (Array.isArray(value)) value = value[Number(token)];
    else value = isObject(value) ? own(value, String(token)) : undefined;
  }
  return value;
}
