// Names of things: what lets two states that took different ways say "the same card".
//
//   the root                   ""
//   columns[0]                 "/columns#0"             the item that stood first at the beginning
//   columns[0].cards[2]        "/columns#0/cards#2"     known by its list: when column 0 moves, its
//                                                       cards keep their names
//   a card that was added      "^ada:7.0"               the submission that put it there, and its
//                                                       number among what that submission added
//   people.bob (a record)      "/people/bob"            known by its key
//   columns[0].meta.color      "/columns#0/meta/color"  a field of the column, no thing of its own
//
// A name of the last kind is a place within a thing; all of them are one kind of text. Names are
// made lazily: a list that was not rearranged takes no memory.
//
// Invariants:
// - A name means one thing for ever. A thing that is gone has no place.
// - `Names` is never written to after it was made.
// (Long because it is one structure, with all that reads it and all that makes the next one.)

import { isContainer, isObject, own } from "../../json/container.ts";
import { Layered } from "./layered.ts";
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
  readonly #lists: Layered<Name, readonly Entry[]>;
  /** By thing, the list that it stands in, where that is not the one it is named by. */
  readonly #homes: Layered<Name, Name>;

  constructor(lists = new Layered<Name, readonly Entry[]>(), homes = new Layered<Name, Name>()) {
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
    const homes = new Map<Name, Name | undefined>();
    for (const [list, entries] of changes)
      for (const entry of this.#newIn(list, entries)) if (typeof entry === "string") homes.set(entry, list);
    // The name of an item that came home says where it is.
    for (const [list, entries] of changes)
      for (const entry of this.#newIn(list, entries)) {
        const name = typeof entry === "number" ? `${list}#${entry}` : undefined;
        if (name !== undefined && (homes.has(name) || this.#homes.get(name) !== undefined)) homes.set(name, undefined);
      }
    return new Names(this.#lists.with(changes), this.#homes.with(homes));
  }

  /** The entries, without those at the start and end of the list that are as they were. */
  #newIn(list: Name, entries: readonly Entry[]): readonly Entry[] {
    const held = this.#lists.get(list);
    let start = 0;
    while (start < entries.length && entries[start] === (held === undefined ? start : held[start])) start++;
    let end = entries.length;
    if (held !== undefined)
      for (let before = held.length; end > start && before > start && entries[end - 1] === held[before - 1];) {
        end--;
        before--;
      }
    return entries.slice(start, end);
  }
}

/** A thing under another name: its own lists go with it. Their items keep the names they have. */
export function rename(named: NamedState, item: Name, next: Name): Names {
  const { names } = named;
  const changes = new Map<Name, readonly Entry[]>();
  /** Lists of a thing that had the name before: their entries are no longer valid. */
  const stale = new Map<Name, readonly Entry[]>();
  forEachList(valueOf(named, item), item, (list, items) => {
    const entries = items.map((child, index) => (isContainer(child) ? (names.itemOf(list, index) ?? null) : null));
    const renamed = next + list.slice(item.length);
    if (names.entries(renamed) !== undefined) stale.set(renamed, []);
    changes.set(renamed, entries);
  });
  const home = names.homeOf(item);
  if (home === undefined) return names.with(stale).with(changes);
  const entries = [...entriesOf(named, home.list)];
  entries[home.index] = next;
  return names.with(stale).with(changes.set(home.list, entries));
}

/** Several things under other names: those that are there. */
export function renameAll(named: NamedState, names: ReadonlyMap<Name, Name>): NamedState {
  const changed = [...names].filter(([from, to]) => from !== to && locate(named, from) !== undefined);
  const give = (state: NamedState, from: Name, to: Name): NamedState => ({
    state: state.state,
    names: rename(state, from, to),
  });
  // Two things may swap names, so each first gets a temporary name that no other thing has.
  const between = changed.reduce((state, [from], index) => give(state, from, birthName("", index)), named);
  return changed.reduce((state, [, to], index) => give(state, birthName("", index), to), between);
}

/** The entries of a list, also of one that was not rearranged. */
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

/**
 * The names of the things in a list, or in a part of it, in their order. Values that are no
 * containers are left out.
 */
export function itemsOf(named: NamedState, list: Name, start = 0, end = Infinity): readonly Name[] {
  const items = valueOf(named, list);
  if (!isArray(items)) return [];
  const found: Name[] = [];
  for (let index = start; index < end && index < items.length; index++) {
    const name = isContainer(items[index]) ? named.names.itemOf(list, index) : undefined;
    if (name !== undefined) found.push(name);
  }
  return found;
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
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

/**
 * Whether a place is one of some others, or its name says that it is within one of them. It looks
 * up each beginning of the name, so its cost does not grow with the number of the others.
 */
export function isWithinAny(place: Name, others: ReadonlyMap<Name, unknown>): boolean {
  if (others.size === 0) return false;
  if (others.has(place)) return true;
  for (let end = place.length - 1; end >= 0; end--)
    if ((place[end] === "/" || place[end] === "#") && others.has(place.slice(0, end))) return true;
  return false;
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
