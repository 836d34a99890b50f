// Carries an effect to another state: it changes the same things there, wherever they are now.
//
//   recorded    /cards/0 removed   = "/cards#0" removed from "/cards"
//   elsewhere   two cards were put before it: the patch is  remove /cards/2
//
// It can be carried when
// - its things exist (what is gone need not be removed),
// - what it wrote over is as it was,
// - no other thing has a recorded value that the operation, run there, would give differently: the
//   id of a thing that was born may belong to another thing by now, also one that the operation
//   would remove there before it gives the id,
// - no other thing has an id that a replacement gave.
//
// The caller, who applies the patches, checks the schema afterwards. With `anyway` it does what
// can be done and never fails.
//
// Long because it has a part for each kind of change: a field set, a thing born, moved or
// removed...

import { isContainer, isObject } from "../../json/container.ts";
import { equal } from "../../json/equal.ts";
import { idKeyOf } from "../../json/id-key.ts";
import { formatPointer, parsePointer, type Patch, type PatchOperation } from "../../patch/index.ts";
import { oneMove } from "../../patch/one-move.ts";
import { Steps } from "../../patch/steps.ts";
import { NO_LIMITS } from "../limits/no-limits.ts";
import { contentOf, madeAt, withoutHoles } from "./content.ts";
import type { Effect } from "./effect.ts";
import { follow, followOn, type ThingModel } from "./follow.ts";
import {
  entriesOf,
  isWithinAny,
  itemsOf,
  locate,
  type NamedState,
  partsOf,
  readAt,
  renameAll,
  valueOf,
} from "./names.ts";
import { holderOfOwnId } from "./own-ids.ts";
import { below, birthName, isBorn, keysOf, type Name, ownerOf } from "./spelling.ts";

export type Carried =
  /** `after`: the names are those that the things have; the state has no derived fields yet. */
  | { readonly ok: true; readonly patches: Patch; readonly after: NamedState }
  /** `thing`: the first one that the effect does not fit. */
  | { readonly ok: false; readonly why: CarryFault; readonly thing: Name };

export type CarryFault = "gone" | "changed" | "occupied";

export interface CarryOptions {
  /** What the operation did when it was run there: it says which values would differ. */
  readonly instead?: Effect | undefined;
  /** The operation said itself which ids things have, as a replacement does. */
  readonly givesIds?: boolean | undefined;
  readonly anyway?: boolean;
}

/** Throws nothing. */
export function carry(model: ThingModel, effect: Effect, to: NamedState, options: CarryOptions = {}): Carried {
  const carrying = new Carrying(model, effect, to, options);
  try {
    carrying.ids();
    carrying.rewrites();
    carrying.sets();
    carrying.births();
    carrying.replacements();
    carrying.moves();
    carrying.removals();
    carrying.values();
    carrying.orders();
    return carrying.end();
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, why: error.why, thing: error.thing };
    throw error;
  }
}

class Unfit extends Error {
  readonly why: CarryFault;
  readonly thing: Name;

  constructor(why: CarryFault, thing: Name) {
    super(why);
    this.why = why;
    this.thing = thing;
  }
}

class Carrying {
  readonly #model: ThingModel;
  readonly #effect: Effect;
  readonly #options: CarryOptions;
  readonly #patches: PatchOperation[] = [];
  #now: NamedState;
  /** The present state, to be written to; undefined after a step that is not plain. */
  #steps: Steps | undefined;

  constructor(model: ThingModel, effect: Effect, to: NamedState, options: CarryOptions) {
    this.#model = model;
    this.#effect = effect;
    this.#now = to;
    this.#options = options;
  }

  ids(): void {
    const holder = this.#options.givesIds === true ? holderOfOwnId(this.#effect, this.#now) : undefined;
    if (holder !== undefined) this.#leaveOr("occupied", holder);
  }

  /**
   * A thing that a replacement made another one of must be as it was. What came into it since is
   * removed.
   */
  rewrites(): void {
    const { before, renamed } = this.#effect;
    for (const thing of renamed.keys()) {
      if (locate(before, thing) === undefined || locate(this.#now, thing) === undefined) continue;
      const [then, now] = [before, this.#now].map((named) => ownFields(contentOf(this.#model, named, thing)));
      if (!equal(then, now, Infinity)) this.#leaveOr("changed", thing);
      for (const part of partsOf(this.#now, thing)) {
        const tokens = locate(before, part) === undefined ? locate(this.#now, part) : undefined;
        if (tokens !== undefined) this.#step({ op: "remove", path: formatPointer(tokens) });
      }
    }
  }

  sets(): void {
    for (const [place, { before, after, born }] of this.#effect.sets) {
      const present = contentOf(this.#model, this.#now, place);
      if (equal(present, after, Infinity) || this.#isReplacedGone(ownerOf(place))) continue;
      if (locate(this.#now, ownerOf(place)) === undefined) {
        if (!this.#leave("gone", ownerOf(place))) continue;
      }
      if (!equal(present, before, Infinity) && !this.#leaveOr("changed", place)) continue;
      const instead = this.#options.instead?.sets.get(place)?.after;
      if (born) this.#mustBeFree(place, after, instead);
      else if (instead !== undefined && !equal(instead, after, Infinity)) this.#mustBeFreeField(place, after);
      const { moved, after: recorded } = this.#effect;
      this.#write(
        place,
        isContainer(after) ? madeAt(this.#model, recorded, place, moved) : after,
        present === undefined,
      );
    }
  }

  births(): void {
    for (const { name, list, content } of this.#effect.born) {
      if (this.#isImplied(list) || locate(this.#now, name) !== undefined) continue;
      if (!Array.isArray(valueOf(this.#now, list))) {
        if (!this.#leave("gone", ownerOf(list))) continue;
      }
      const others = this.#options.instead?.born.filter((birth) => birth.list === list) ?? [];
      const rank = this.#effect.born.filter((birth) => birth.list === list).findIndex((birth) => birth.name === name);
      this.#mustBeFree(name, content, others[rank]?.content);
      this.#insert(list, name, withoutHoles(content));
    }
  }

  /** What a replacement made of a thing is inserted anew where that thing is gone. */
  replacements(): void {
    const { after, renamed } = this.#effect;
    for (const [from, to] of renamed) {
      const list = this.#isReplacedGone(from) ? after.names.homeOf(to)?.list : undefined;
      if (list === undefined || locate(this.#now, to) !== undefined) continue;
      if (Array.isArray(valueOf(this.#now, list)))
        this.#insert(list, to, withoutHoles(contentOf(this.#model, after, to)));
      else this.#leave("gone", ownerOf(list));
    }
  }

  moves(): void {
    for (const [name, { from, to }] of this.#effect.moved) {
      const home = locate(this.#now, name) === undefined ? undefined : this.#now.names.homeOf(name)?.list;
      if (home === to) continue;
      if (home === undefined && !this.#leave("gone", name)) continue;
      if (home !== from && !this.#leaveOr("changed", name)) continue;
      if (!Array.isArray(valueOf(this.#now, to)) && !this.#leave("gone", ownerOf(to))) continue;
      this.#move(name, to);
    }
  }

  removals(): void {
    for (const [name, list] of this.#effect.removed) {
      const tokens = list === undefined || this.#isImplied(list) ? undefined : locate(this.#now, name);
      if (tokens === undefined) continue;
      // What came into it meanwhile would be removed with it.
      const other = partsOf(this.#now, name).find((part) => !this.#effect.removed.has(part));
      if (other !== undefined) this.#leaveOr("changed", other);
      this.#step({ op: "remove", path: formatPointer(tokens) });
    }
  }

  values(): void {
    for (const [list, { added, removed }] of this.#effect.values) {
      if (this.#isImplied(list)) continue;
      if (!Array.isArray(valueOf(this.#now, list))) {
        this.#leave("gone", ownerOf(list));
        continue;
      }
      const then = listOf(this.#effect.before, list);
      const now = listOf(this.#effect.after, list);
      const open = [...added];
      for (const value of removed) {
        const items = listOf(this.#now, list);
        const at = then.indexOf(value);
        const index = items[at] === value ? at : items.indexOf(value);
        if (index < 0) continue;
        // One value in the place of another stays in that place.
        const next = then.length === now.length ? open.indexOf(now[at]) : -1;
        const path = this.#pathIn(list, index);
        if (next < 0) this.#step({ op: "remove", path });
        else this.#step({ op: "replace", path, value: open.splice(next, 1)[0] });
      }
      for (const value of open)
        this.#step({ op: "add", path: this.#pathIn(list, indexAmong(now, value, listOf(this.#now, list))), value });
    }
  }

  orders(): void {
    for (const list of this.#effect.ordered) {
      const items = valueOf(this.#now, list);
      if (!Array.isArray(items)) {
        this.#leave("gone", ownerOf(list));
        continue;
      }
      const wanted = itemsOf(this.#effect.after, list).filter((name) => this.#isIn(name, list));
      const present = itemsOf(this.#now, list).filter((name) => wanted.includes(name));
      if (equal(wanted, present, 1)) continue;
      const then = itemsOf(this.#effect.before, list).filter((name) => present.includes(name));
      if (
        !equal(
          then,
          present.filter((name) => then.includes(name)),
          1,
        ) &&
        !this.#leaveOr("changed", list)
      )
        continue;
      this.#arrange(list, wanted);
    }
  }

  end(): Carried {
    return { ok: true, patches: this.#patches, after: renameAll(this.#now, this.#effect.renamed) };
  }

  #pathIn(list: Name, index: number): string {
    return formatPointer([...(locate(this.#now, list) ?? []), index]);
  }

  /** Fails, or returns false: this part is left out. */
  #leave(why: CarryFault, thing: Name): false {
    if (this.#options.anyway === true) return false;
    throw new Unfit(why, thing);
  }

  /** Fails, or returns true: it is done all the same. */
  #leaveOr(why: CarryFault, thing: Name): true {
    if (this.#options.anyway === true) return true;
    throw new Unfit(why, thing);
  }

  /** Whether a list comes with a value that was set. */
  #isImplied(list: Name): boolean {
    return isWithinAny(list, this.#effect.sets);
  }

  #isReplacedGone(thing: Name): boolean {
    return this.#effect.renamed.has(thing) && locate(this.#now, thing) === undefined;
  }

  #isIn(name: Name, list: Name): boolean {
    return locate(this.#now, name) !== undefined && this.#now.names.homeOf(name)?.list === list;
  }

  #write(place: Name, value: unknown, adds: boolean): void {
    const owner = locate(this.#now, ownerOf(place));
    const keys = keysOf(place);
    const parent = valueOf(this.#now, parentOf(place));
    if (place !== "" && (owner === undefined || !isContainer(parent))) {
      this.#leave("gone", place);
      return;
    }
    const path = formatPointer([...(owner ?? []), ...keys]);
    if (value === undefined) this.#step({ op: "remove", path });
    else this.#step(adds && place !== "" ? { op: "add", path, value } : { op: "replace", path, value });
  }

  #insert(list: Name, name: Name, value: unknown): void {
    const tokens = locate(this.#now, list);
    if (tokens === undefined) return;
    this.#step({ op: "add", path: formatPointer([...tokens, this.#indexFor(list, name)]), value }, name);
  }

  #move(name: Name, list: Name): void {
    const from = locate(this.#now, name);
    const target = locate(this.#now, list);
    if (from === undefined || target === undefined) return;
    const index = this.#indexFor(list, name);
    // A thing is not moved into itself.
    if (from.every((token, index) => token === target[index])) return void this.#leave("changed", name);
    const path = formatPointer([...withoutItem(target, from), index]);
    for (const step of oneMove(formatPointer(from), path)) this.#step(step);
  }

  /** Moves items of a list into this order. It moves no others. */
  #arrange(list: Name, wanted: readonly Name[]): void {
    const places = itemsOf(this.#now, list).flatMap((name) => (wanted.includes(name) ? [name] : []));
    for (const [rank, name] of wanted.entries()) {
      const at = places[rank];
      if (at === undefined || at === name) continue;
      const from = locate(this.#now, name);
      const path = locate(this.#now, at);
      if (from === undefined || path === undefined) continue;
      this.#step({ op: "move", from: formatPointer(from), path: formatPointer(path) });
      places.splice(places.indexOf(name), 1);
      places.splice(rank, 0, name);
    }
  }

  /** The index for a thing, by the neighbours that it was recorded with. */
  #indexFor(list: Name, name: Name): number {
    const recorded = entryNames(this.#effect.after, list);
    const present = entryNames(this.#now, list).filter((other) => other !== name);
    return indexAmong(recorded, name, present);
  }

  #mustBeFreeField(place: Name, value: unknown): void {
    const owner = ownerOf(place);
    const field = place.slice(owner.length);
    if (isContainer(value) || value === null || owner === "") return;
    for (const other of this.#others(owner)) this.#mustDiffer(other, other + field, value);
  }

  /**
   * Checks the values of what was born that the operation, run here, would give differently, and an
   * id that it would give after it removed who has it: no other thing has them.
   */
  #mustBeFree(name: Name, content: unknown, instead: unknown): void {
    if (!isObject(content) || !isObject(instead)) return;
    const values = Object.entries(content).filter(([, value]) => !isContainer(value) && value !== null);
    const differing = values.filter(([key, value]) => value !== instead[key]);
    const id = values.filter(([key]) => key === idKeyOf(content));
    const removed = this.#options.instead?.removed;
    if (differing.length === 0 && (id.length === 0 || !removed?.size)) return;
    for (const other of this.#others(name))
      for (const [key, value] of removed?.has(other) === true ? [...differing, ...id] : differing)
        this.#mustDiffer(other, below(other, key), value);
  }

  /** A value that the other thing had before the effect already is no id. */
  #mustDiffer(thing: Name, field: Name, value: unknown): void {
    if (valueOf(this.#now, field) === value && valueOf(this.#effect.before, field) !== value)
      this.#leaveOr("occupied", thing);
  }

  /** All things but one and what was born with it: ids are often unique across lists. */
  #others(name: Name): readonly Name[] {
    const own = new Set([name, ...this.#effect.born.map((birth) => birth.name)]);
    const things = [...partsOf(this.#now, ""), ...siblingsInRecord(this.#now, name)];
    return things.filter((thing) => !own.has(thing));
  }

  #step(step: PatchOperation, born?: Name): void {
    const source = `carried ${this.#patches.length}`;
    if (this.#isPlain(step)) this.#steps ??= new Steps(this.#now.state, NO_LIMITS);
    else this.#steps = undefined;
    const { after, born: came } =
      this.#steps === undefined
        ? follow(this.#model, this.#now, [step], source)
        : followOn(this.#model, this.#now, step, source, this.#steps);
    const names = [...came].map((item) => [item, born ?? this.#recordedName(item, after) ?? item] as const);
    this.#now = renameAll(after, new Map(names));
    this.#patches.push(step);
  }

  /** Whether a step moves and copies nothing, and puts no container in another value's place. */
  #isPlain(step: PatchOperation): boolean {
    if (step.op === "remove") return true;
    if (step.op !== "add" && step.op !== "replace") return false;
    if (!isContainer(step.value)) return true;
    const tokens = parsePointer(step.path);
    const parent = readAt(this.#now.state, tokens.slice(0, -1));
    return step.op === "add" && (Array.isArray(parent) || readAt(this.#now.state, tokens) === undefined);
  }

  /** The recorded name of an item that came with a value that was set. */
  #recordedName(item: Name, after: NamedState): Name | undefined {
    const home = after.names.homeOf(item);
    if (home === undefined) return undefined;
    const { after: recorded, moved } = this.#effect;
    // What is moved into the list comes later.
    const name =
      moved.size === 0
        ? recorded.names.itemOf(home.list, home.index)
        : entryNames(recorded, home.list).filter((entry) => !moved.has(entry))[home.index];
    return name !== undefined && isBorn(name) && locate(recorded, name) !== undefined ? name : undefined;
  }
}

/**
 * The index behind the nearest item that is before it in the recorded list; the end when it is the
 * last one there.
 */
function indexAmong(recorded: readonly unknown[], item: unknown, present: readonly unknown[]): number {
  const rank = recorded.lastIndexOf(item);
  if (rank === recorded.length - 1) return present.length;
  for (let at = rank - 1; at >= 0; at--) {
    const found = present.indexOf(recorded[at]);
    if (found >= 0) return found + 1;
  }
  return 0;
}

/** A value without the things in its lists. */
function ownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isContainer(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, ownFields(field)]));
}

function listOf(named: NamedState, list: Name): readonly unknown[] {
  const items = valueOf(named, list);
  return Array.isArray(items) ? items : [];
}

/** The place of the object that holds a key. */
function parentOf(place: Name): Name {
  const at = place.lastIndexOf("/");
  return at < 0 ? "" : place.slice(0, at);
}

function siblingsInRecord(named: NamedState, place: Name): readonly Name[] {
  const parent = parentOf(place);
  const record = valueOf(named, parent);
  if (!isObject(record)) return [];
  return Object.keys(record)
    .map((key) => below(parent, key))
    .filter((sibling) => sibling !== place);
}

/** A name for every index of a list; a value that is no container has one that nothing else has. */
function entryNames(named: NamedState, list: Name): readonly Name[] {
  return entriesOf(named, list).map((_, index) => named.names.itemOf(list, index) ?? birthName("", `v${index}`));
}

/** A path as it is once the item at `from` was removed. */
function withoutItem(
  path: readonly (string | number)[],
  from: readonly (string | number)[],
): readonly (string | number)[] {
  const depth = from.length - 1;
  const [index, gone] = [Number(path[depth]), Number(from[depth])];
  const isBehind = path.length > depth && from.slice(0, depth).every((token, at) => token === path[at]) && index > gone;
  return isBehind ? path.with(depth, index - 1) : path;
}
