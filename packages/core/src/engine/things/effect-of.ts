// Reads the effect of an update off its patches, and off the named states before and after them.

import { canonicalJson } from "../../json/canonical.ts";
import { isContainer } from "../../json/container.ts";
import { equal } from "../../json/equal.ts";
import type { Patch } from "../../patch/index.ts";
import { contentOf } from "./content.ts";
import { editsOf } from "./edits.ts";
import type { Birth, Effect, Values, Write } from "./effect.ts";
import { follow, type Followed, type ThingModel } from "./follow.ts";
import { entriesOf, isWithinAny, itemsOf, locate, type NamedState, partsOf, renameAll, valueOf } from "./names.ts";
import { birthName, type Name, ownerOf } from "./spelling.ts";

const NONE: ReadonlyMap<never, never> = new Map<never, never>();

/** What shows whether an update keeps things, or makes other things of them. */
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
  // From the old name, so that one migration leads to the same names wherever it is done.
  const renamed = new Map(others.map((name) => [name, birthName(`${origin.source} ${name}`, "r")]));
  return { ...effect, after: renameAll(effect.after, renamed), renamed };
}

/** Whether an operation replaces values: what it writes into is another thing afterwards. */
export function replaces(operation: Origin["operation"]): boolean {
  return hasPart(operation, (type) => type === "$replace" || type === "$patch");
}

/** Whether an operation says what the whole state is to be. */
export function replacesWhole(operation: Origin["operation"]): boolean {
  return hasPart(operation, (type) => type === "$replace");
}

function hasPart({ type, operations }: Origin["operation"], is: (type: string) => boolean): boolean {
  if (type === "$batch" && Array.isArray(operations))
    return operations.some((part: unknown) => typeof part !== "object" || part === null || hasPart(typed(part), is));
  return is(type);
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
    for (const list of followed.lists) for (const name of this.#changed(list).are) this.#present.set(name, list);
  }

  effect(): Effect {
    const { before, after, lists } = this.#followed;
    const sets = this.#sets();
    const born: Birth[] = [];
    const removed = new Map<Name, Name | undefined>();
    const moved = new Map<Name, { from: Name; to: Name }>();
    const ordered = new Set<Name>();
    const values = new Map<Name, Values>();
    for (const list of lists) {
      const { were: then, are: now } = this.#changed(list);
      const were = new Set(then);
      for (const name of then) if (!this.#stays(name)) this.#remove(name, list, removed);
      for (const name of now) {
        const from = were.has(name) ? list : this.#listBefore(name);
        if (from === undefined) {
          if (!isBornWithin(this.#followed, list)) born.push({ name, list, content: this.#content(after, name) });
        } else if (from !== list) moved.set(name, { from, to: list });
      }
      if (isBornWithin(this.#followed, list) || isWithinAny(list, sets)) continue;
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

  /**
   * The things of a list, without those at its start and end that are the same before and after.
   */
  #changed(list: Name): { readonly were: readonly Name[]; readonly are: readonly Name[] } {
    const { before, after } = this.#followed;
    const then = Array.isArray(valueOf(before, list)) ? entriesOf(before, list) : [];
    const now = Array.isArray(valueOf(after, list)) ? entriesOf(after, list) : [];
    const shorter = Math.min(then.length, now.length);
    let start = 0;
    while (start < shorter && then[start] === now[start]) start++;
    let end = 0;
    while (end < shorter - start && then[then.length - 1 - end] === now[now.length - 1 - end]) end++;
    return {
      were: itemsOf(before, list, start, then.length - end),
      are: itemsOf(after, list, start, now.length - end),
    };
  }

  /** The places that have another value now; of places within one another the outer one. */
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
