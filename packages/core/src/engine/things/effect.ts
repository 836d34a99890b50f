// The effect of an update by thing: what it did, said in names, so that it can be compared with
// what an update did to another state, and carried there.
//
//   patches                                  effect
//   remove /columns/0/cards/2                moved    "/columns#0/cards#2" from "/columns#0/cards"
//   add    /columns/1/cards/0 { ... }                 to "/columns#1/cards"
//   replace /columns/1/cards/0/title "B"     set      "/columns#0/cards#2/title" from "A" to "B"
//   replace /columns/1/cardCount 3           (derived: left out)
//
// The positions at which things were born, or moved to, are no part of it: `carry` finds them by
// their neighbours.

import { canonicalJson } from "../../json/canonical.ts";
import { isContainer, isObject } from "../../json/container.ts";
import { equal } from "../../json/equal.ts";
import type { Patch } from "../../patch/index.ts";
import { isDerived, withoutDerived } from "./derived.ts";
import { editsOf } from "./edits.ts";
import { follow, type Followed, type ThingModel } from "./follow.ts";
import {
  below,
  birthName,
  entriesOf,
  isBorn,
  itemsOf,
  locate,
  type Name,
  type NamedState,
  ownerOf,
  partsOf,
  rename,
  type Tokens,
  valueOf,
} from "./names.ts";

/** A place that was written to. Undefined: there was, or is, nothing. */
export interface Write {
  readonly before: unknown;
  readonly after: unknown;
  /** A value of a record that was not there before: a birth, under a key. */
  readonly born: boolean;
}

/** An item that an update put into a list. */
export interface Birth {
  readonly name: Name;
  readonly list: Name;
  /** Without derived fields. A thing that was moved into it stands there by its name. */
  readonly content: unknown;
}

/** Items of a list that are no containers, by value, one for each item. */
export interface Values {
  readonly added: readonly unknown[];
  readonly removed: readonly unknown[];
}

export interface Effect {
  readonly before: NamedState;
  readonly after: NamedState;
  readonly sets: ReadonlyMap<Name, Write>;
  readonly born: readonly Birth[];
  /** By thing, the list that it was removed from; undefined for what was within another one. */
  readonly removed: ReadonlyMap<Name, Name | undefined>;
  readonly moved: ReadonlyMap<Name, { readonly from: Name; readonly to: Name }>;
  /** Lists in which things that stayed have another order. */
  readonly ordered: ReadonlySet<Name>;
  readonly values: ReadonlyMap<Name, Values>;
  /** Things that are others now: a replacement wrote into them. */
  readonly renamed: ReadonlyMap<Name, Name>;
  /** The patches that it was read off. */
  readonly patches: Patch;
}

/** How an update is told to be one that keeps things, or one that makes others of them. */
export interface Origin {
  /** Any text that tells the submission apart: the names of what it bore begin with it. */
  readonly source: string;
  /** The operation, as its log has it. */
  readonly operation: { readonly type: string; readonly operations?: unknown };
  /**
   * Whether the patches were found by comparing states, as those of a migration: then they do not
   * say what became of a thing. Those of replacements always are.
   */
  readonly compared?: boolean;
}

/**
 * What patches did to a state whose things have names. `after` has the names of what they led to.
 * Throws when they do not apply.
 */
export function effectOf(model: ThingModel, before: NamedState, patches: Patch, origin: Origin): Effect {
  const effect = mayKeepAll(origin) ? editsOf(model, before, patches) : undefined;
  if (effect !== undefined) return effect;
  return withOthers(new Reading(model, follow(model, before, patches, origin.source), patches).effect(), origin);
}

/** Whether an update leaves every thing the one it was, unless its patches say otherwise. */
function mayKeepAll({ operation, compared }: Origin): boolean {
  return compared !== true && !replaces(operation) && !Object.values(operation).some(isContainer);
}

/** Things that an update made others of have other names after it. */
function withOthers(effect: Effect, origin: Origin): Effect {
  const others =
    origin.compared === true || replaces(origin.operation) ? writtenItems(effect) : fromInput(effect, origin.operation);
  if (others.length === 0) return effect;
  const renamed = new Map<Name, Name>();
  let { after } = effect;
  for (const name of others) {
    // From the old name, so that one migration leads to the same names wherever it is done.
    const next = birthName(`${origin.source} ${name}`, "r");
    after = { ...after, names: rename(after, name, next) };
    renamed.set(name, next);
  }
  return { ...effect, after, renamed };
}

/** The effect of nothing, on a state. */
export function noEffect(on: NamedState): Effect {
  return {
    before: on,
    after: on,
    sets: NONE,
    born: [],
    removed: NONE,
    moved: NONE,
    ordered: NOTHING,
    values: NONE,
    renamed: NONE,
    patches: [],
  };
}

const NONE: ReadonlyMap<never, never> = new Map<never, never>();
const NOTHING: ReadonlySet<never> = new Set<never>();

/** Whether an operation replaces values: what it writes into is another thing afterwards. */
export function replaces({ type, operations }: Origin["operation"]): boolean {
  if (type === "$batch" && Array.isArray(operations))
    return operations.some((part: unknown) => typeof part !== "object" || part === null || replaces(typed(part)));
  return type === "$replace" || type === "$patch";
}

function typed(part: object): Origin["operation"] {
  // An operation of a batch without a type is a whole value.
  return { type: "type" in part && typeof part.type === "string" ? part.type : "$replace" };
}

/** The list items whose own fields were written to. */
function writtenItems({ sets }: Effect): readonly Name[] {
  return [...new Set([...sets.keys()].map(ownerOf))].filter((name) => name !== "");
}

/** The list items that now are what the operation's input brought. */
function fromInput(effect: Effect, operation: Origin["operation"]): readonly Name[] {
  const items = writtenItems(effect);
  if (items.length === 0) return [];
  const given = new Set<string>();
  const collect = (value: unknown): void => {
    if (!isContainer(value)) return;
    given.add(canonicalJson(value));
    for (const part of Object.values(value)) collect(part);
  };
  for (const part of Object.values(operation)) collect(part);
  return given.size === 0 ? [] : items.filter((name) => given.has(canonicalJson(valueOf(effect.after, name))));
}

/** Reads an effect off the states before and after. */
class Reading {
  readonly #model: ThingModel;
  readonly #followed: Followed;
  /** The things of the lists that changed, by the list they are in now. */
  readonly #present = new Map<Name, Name>();

  readonly #patches: Patch;

  constructor(model: ThingModel, followed: Followed, patches: Patch) {
    this.#model = model;
    this.#followed = followed;
    this.#patches = patches;
    for (const list of followed.lists) for (const name of this.#changed(list).now) this.#present.set(name, list);
  }

  effect(): Effect {
    const { before, after, lists } = this.#followed;
    const sets = this.#sets();
    const isWithinSet = (list: Name): boolean => sets.size > 0 && isWithinAny(list, sets);
    const born: Birth[] = [];
    const removed = new Map<Name, Name | undefined>();
    const moved = new Map<Name, { from: Name; to: Name }>();
    const ordered = new Set<Name>();
    const values = new Map<Name, Values>();
    for (const list of lists) {
      const { then, now } = this.#changed(list);
      const were = new Set(then);
      for (const name of then) if (!this.#stays(name)) this.#remove(name, list, removed);
      for (const name of now) {
        const from = were.has(name) ? list : this.#listBefore(name);
        if (from === undefined) {
          if (!isBornWithin(this.#followed, list)) born.push({ name, list, content: this.#content(after, name) });
        } else if (from !== list) moved.set(name, { from, to: list });
      }
      if (isBornWithin(this.#followed, list) || isWithinSet(list)) continue;
      const are = new Set(now);
      const left = then.filter((name) => are.has(name));
      const stayed = now.filter((name) => were.has(name));
      if (!equal(left, stayed, 1)) ordered.add(list);
      const changed = compareValues(valueOf(before, list), valueOf(after, list));
      if (changed === "ordered") ordered.add(list);
      else if (changed !== undefined) values.set(list, changed);
    }
    return { before, after, sets, born, removed, moved, ordered, values, renamed: NONE, patches: this.#patches };
  }

  /** The things of a list between those with which it begins and ends as it did. */
  #changed(list: Name): { readonly then: readonly Name[]; readonly now: readonly Name[] } {
    const { before, after } = this.#followed;
    const then = Array.isArray(valueOf(before, list)) ? entriesOf(before, list) : [];
    const now = Array.isArray(valueOf(after, list)) ? entriesOf(after, list) : [];
    const shorter = Math.min(then.length, now.length);
    let start = 0;
    while (start < shorter && then[start] === now[start]) start++;
    let end = 0;
    while (end < shorter - start && then[then.length - 1 - end] === now[now.length - 1 - end]) end++;
    return {
      then: itemsOf(before, list, start, then.length - end),
      now: itemsOf(after, list, start, now.length - end),
    };
  }

  /** The places that hold something else now, those within one another once. */
  #sets(): Map<Name, Write> {
    const { before, after, written } = this.#followed;
    const sets = new Map<Name, Write>();
    const places = [...written].toSorted(([left], [right]) => left.length - right.length);
    for (const [place, record] of places) {
      const owner = ownerOf(place);
      if (locate(before, owner) === undefined || locate(after, owner) === undefined) continue;
      if (isWithinAny(place, sets)) continue;
      const then = this.#content(before, place);
      const now = this.#content(after, place);
      if (equal(then, now, Infinity)) continue;
      sets.set(place, { before: then, after: now, born: record && then === undefined && isContainer(now) });
    }
    return sets;
  }

  #listBefore(name: Name): Name | undefined {
    const { before } = this.#followed;
    return locate(before, name) === undefined ? undefined : before.names.homeOf(name)?.list;
  }

  #stays(name: Name): boolean {
    return this.#present.has(name) || locate(this.#followed.after, name) !== undefined;
  }

  #remove(name: Name, list: Name | undefined, removed: Map<Name, Name | undefined>): void {
    if (removed.has(name) && list === undefined) return;
    removed.set(name, list);
    for (const part of partsOf(this.#followed.before, name))
      if (!this.#stays(part) && !removed.has(part)) removed.set(part, undefined);
  }

  #content(named: NamedState, name: Name): unknown {
    const tokens = locate(named, name);
    if (tokens === undefined) return undefined;
    return contentOf(this.#model, named, name, tokens);
  }
}

/** A value without derived fields, and with names for things that are not named by the place. */
export function contentOf(
  model: ThingModel,
  named: NamedState,
  name: Name,
  tokens: Tokens | undefined = locate(named, name),
): unknown {
  const value = valueOf(named, name);
  if (tokens === undefined || !isContainer(value)) return value;
  return isBorn(name) ? withHoles(model, named, name, tokens, value) : withoutDerived(model.derive, value, tokens);
}

/** What stands for a thing that was moved into one that was born. */
const HOLE = "$thing";

export function holeOf(value: unknown): Name | undefined {
  const name = isObject(value) ? value[HOLE] : undefined;
  return typeof name === "string" && Object.keys(value as object).length === 1 ? name : undefined;
}

function withHoles(model: ThingModel, named: NamedState, name: Name, tokens: Tokens, value: unknown): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value))
    return value.map((item, index) => {
      const part = isContainer(item) ? named.names.itemOf(name, index) : undefined;
      if (part === undefined) return item;
      return part.startsWith(`${name}#`) ? withHoles(model, named, part, [...tokens, index], item) : { [HOLE]: part };
    });
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const inner = [...tokens, key];
    if (!isDerived(model.derive, inner)) kept[key] = withHoles(model, named, below(name, key), inner, value[key]);
  }
  return kept;
}

/** Whether a place is within another one of the same thing, or is it. */
export function isWithin(place: Name, outer: Name): boolean {
  return place === outer || (place.startsWith(outer) && (place[outer.length] === "/" || place[outer.length] === "#"));
}

/** Whether a place is within one of some others, or is one of them: each of those it is in is looked up. */
function isWithinAny(place: Name, outer: ReadonlyMap<Name, unknown>): boolean {
  if (outer.has(place)) return true;
  for (let end = place.length - 1; end > 0; end--)
    if ((place[end] === "/" || place[end] === "#") && outer.has(place.slice(0, end))) return true;
  return outer.has("") && (place[0] === "/" || place[0] === "#");
}

/** Whether the owner of a list was born by the same update. */
function isBornWithin({ before }: Followed, list: Name): boolean {
  return locate(before, ownerOf(list)) === undefined;
}

/** How the values of a list that are no containers differ. */
function compareValues(before: unknown, after: unknown): Values | "ordered" | undefined {
  const then = plainItems(before);
  const now = plainItems(after);
  const left = new Map<unknown, number>();
  for (const value of then) left.set(value, (left.get(value) ?? 0) + 1);
  const added = now.filter((value) => {
    const count = left.get(value) ?? 0;
    if (count > 0) left.set(value, count - 1);
    return count === 0;
  });
  const removed = [...left].flatMap(([value, count]) => Array.from({ length: count }, () => value));
  if (added.length > 0 || removed.length > 0) return { added, removed };
  return equal(then, now, 1) ? undefined : "ordered";
}

function plainItems(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.filter((item) => !isContainer(item)) : [];
}
