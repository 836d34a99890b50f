// Follows the patches of one update: the names of what the state holds after it, and which places
// it wrote to.
//
// A patch says more than the two states do: a `move` is the same thing elsewhere. Where it says
// less (a whole list in another one's place, a removal here and an addition there), things are
// matched by reference, else by equality. An index never matches anything.
//
// Long because it has a method for each kind of step, over one state that they lead on.

import { parsePointer, type Patch, type PatchOperation } from "../../patch/index.ts";
import { Steps } from "../../patch/steps.ts";
import { canonicalJson } from "../../json/canonical.ts";
import { isContainer, isObject, own } from "../../json/container.ts";
import type { Model } from "../model.ts";
import { NO_LIMITS } from "../limits/no-limits.ts";
import { isDerived } from "./derived.ts";
import { matchItems } from "./match.ts";
import {
  changedEntries,
  entriesOf,
  type Entry,
  locate,
  type NamedState,
  partsOf,
  readAt,
  type Tokens,
  valueOf,
} from "./names.ts";
import { below, birthName, type Name } from "./spelling.ts";
import { type Shape, shapeOf } from "./shape.ts";

/** What of a definition tells things apart. */
export type ThingModel = Pick<Model, "looseSchema" | "derive">;

/** What patches did to the names of a state. */
export interface Followed {
  readonly before: NamedState;
  readonly after: NamedState;
  /** Places that were written to; whether each is a value of a record. */
  readonly written: ReadonlyMap<Name, boolean>;
  /** Lists whose items changed, came, went or moved. */
  readonly lists: ReadonlySet<Name>;
  readonly born: ReadonlySet<Name>;
}

/** `source` begins the names of what is born. Throws when a patch does not apply. */
export function follow(model: ThingModel, before: NamedState, patches: Patch, source: string): Followed {
  const walk = new Walk(model, before, source, new Steps(before.state, NO_LIMITS));
  for (const step of patches) walk.take(step);
  walk.matchEqual();
  return walk.end();
}

/**
 * The same for one operation that puts no container in another value's place. `steps` stands at the
 * state before it, which is written to where earlier steps copied it.
 */
export function followOn(
  model: ThingModel,
  before: NamedState,
  step: PatchOperation,
  source: string,
  steps: Steps,
): Pick<Followed, "after" | "born"> {
  const walk = new Walk(model, before, source, steps);
  walk.take(step);
  return walk.end();
}

interface Place {
  readonly name: Name;
  readonly shape: Shape;
  readonly value: unknown;
  readonly record: boolean;
}

class Walk {
  readonly #model: ThingModel;
  readonly #before: NamedState;
  readonly #source: string;
  /** Its state is written to by the next step. */
  #now: NamedState;
  readonly #steps: Steps;
  readonly #written = new Map<Name, boolean>();
  readonly #lists = new Set<Name>();
  readonly #born = new Set<Name>();
  /** What was removed from lists, as it was then. */
  readonly #removed = new Map<Name, unknown>();
  /** Entries that the present step leads to. */
  #changes = new Map<Name, Entry[]>();

  constructor(model: ThingModel, before: NamedState, source: string, steps: Steps) {
    this.#model = model;
    this.#before = before;
    this.#source = source;
    this.#now = before;
    this.#steps = steps;
  }

  take(step: PatchOperation): void {
    if (step.op !== "test") this.#note(step);
    this.#steps.take(step);
    const names = this.#now.names.with(this.#changes);
    this.#changes = new Map();
    this.#now = { state: this.#steps.document, names };
  }

  end(): Followed {
    return {
      before: this.#before,
      after: this.#now,
      written: this.#written,
      lists: this.#lists,
      born: this.#born,
    };
  }

  #note(step: Exclude<PatchOperation, { op: "test" }>): void {
    const { state } = this.#now;
    const tokens = parsePointer(step.path);
    switch (step.op) {
      case "add":
        return this.#put(tokens, step.value, true);
      case "replace":
        return this.#put(tokens, step.value, false);
      case "remove":
        return this.#take(tokens);
      case "copy":
        return this.#put(tokens, readAt(state, parsePointer(step.from)), true);
      case "move":
        return this.#move(parsePointer(step.from), tokens);
    }
  }

  /** A value is added, or put in another one's place. */
  #put(tokens: Tokens, value: unknown, adds: boolean): void {
    const parent = this.#parent(tokens);
    if (parent === undefined) return;
    const key = tokens.at(-1);
    if (key === undefined) return this.#write(parent, tokens, value);
    if (!Array.isArray(parent.value)) return this.#write(this.#child(parent, String(key)), tokens, value);
    const index = key === "-" ? parent.value.length : Number(key);
    if (adds) return this.#insert(parent.name, index, this.#entryFor(value));
    const item = parent.value[index] as unknown;
    const name = isContainer(item) ? this.#itemOf(parent.name, index) : undefined;
    this.#lists.add(parent.name);
    if (name !== undefined && isContainer(value) && Array.isArray(item) === Array.isArray(value))
      this.#write({ name, shape: parent.shape.items(), value: item, record: false }, tokens, value);
    else this.#entries(parent.name)[index] = this.#entryFor(value);
  }

  #take(tokens: Tokens): void {
    const parent = this.#parent(tokens);
    if (parent === undefined) return;
    const key = tokens.at(-1);
    if (!Array.isArray(parent.value)) return this.#write(this.#child(parent, String(key)), tokens, undefined);
    const item = parent.value[Number(key)] as unknown;
    const name = isContainer(item) ? this.#itemOf(parent.name, Number(key)) : undefined;
    if (name !== undefined) {
      this.#steps.keep(item);
      this.#removed.set(name, item);
    }
    this.#remove(parent.name, Number(key));
  }

  #move(from: Tokens, to: Tokens): void {
    const parent = this.#parent(from);
    const value = readAt(this.#now.state, from);
    const key = to.at(-1);
    if (parent === undefined || !Array.isArray(parent.value) || key === undefined) {
      this.#take(from);
      return this.#put(to, value, true);
    }
    const entry = this.#remove(parent.name, Number(from.at(-1)));
    const name = typeof entry === "number" ? `${parent.name}#${entry}` : entry;
    // RFC 6902: the path of a move is one of the state without the value. Names are looked up in
    // the state before it, so the path is turned into one of that state.
    const before = parent.value as readonly unknown[];
    const at = this.#shifted(to, from, before);
    const list = this.#parent(at);
    if (list === undefined || !Array.isArray(list.value)) return this.#put(at, value, true);
    const index = key === "-" ? this.#entries(list.name).length : Number(key);
    const home = typeof entry === "number" && list.name === parent.name ? entry : isContainer(value) ? name : null;
    this.#insert(list.name, index, homeEntry(list.name, home));
  }

  /** A path that is valid after `from` was removed from its list, as one that is valid before. */
  #shifted(to: Tokens, from: Tokens, list: readonly unknown[]): Tokens {
    const depth = from.length - 1;
    const index = Number(to[depth]);
    const isBeyond =
      to.length > from.length &&
      from.slice(0, depth).every((token, at) => token === to[at]) &&
      index >= Number(from[depth]) &&
      index < list.length - 1;
    return isBeyond ? to.with(depth, String(index + 1)) : to;
  }

  /** One value in the place of another: what they have in common stays. */
  #write(place: Place, tokens: Tokens, value: unknown): void {
    const { name, shape, record, value: old } = place;
    if (old === value || isDerived(this.#model.derive, tokens)) return;
    if (isObject(old) && isObject(value)) {
      for (const key of new Set([...Object.keys(old), ...Object.keys(value)]))
        this.#write(this.#child(place, key), [...tokens, key], own(value, key));
    } else if (Array.isArray(old) && Array.isArray(value) && !shape.isTuple) {
      this.#rewrite(name, old, value);
    } else {
      this.#written.set(name, record && this.#written.get(name) !== false);
      this.#forget(name, old);
      this.#attach(name, shape, tokens, value);
    }
  }

  /** Another whole list in the place of one. */
  #rewrite(list: Name, old: readonly unknown[], items: readonly unknown[]): void {
    const entries = this.#entries(list);
    const from = matchItems(old, items);
    this.#lists.add(list);
    this.#changes.set(
      list,
      items.map((item, index) => {
        const source = from[index] ?? -1;
        return source < 0 ? this.#entryFor(item) : (entries[source] ?? null);
      }),
    );
  }

  /** The lists of a value that was put in a place: their items are new. */
  #attach(name: Name, shape: Shape, tokens: Tokens, value: unknown): void {
    if (isDerived(this.#model.derive, tokens)) return;
    if (Array.isArray(value)) {
      if (shape.isTuple) return;
      this.#lists.add(name);
      this.#changes.set(
        name,
        value.map((item) => this.#entryFor(item)),
      );
    } else if (isObject(value)) {
      for (const key of Object.keys(value))
        this.#attach(below(name, key), shape.key(key).shape, [...tokens, key], value[key]);
    }
  }

  #forget(name: Name, value: unknown): void {
    if (Array.isArray(value)) {
      this.#lists.add(name);
      this.#changes.set(name, []);
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) this.#forget(below(name, key), value[key]);
    }
  }

  #insert(list: Name, index: number, entry: Entry): void {
    this.#lists.add(list);
    this.#entries(list).splice(index, 0, entry);
  }

  #remove(list: Name, index: number): Entry {
    this.#lists.add(list);
    return this.#entries(list).splice(index, 1)[0] ?? null;
  }

  #entryFor(value: unknown): Entry {
    if (!isContainer(value)) return null;
    let name = birthName(this.#source, this.#born.size);
    // Of one submission that is done twice, what is born the second time is another thing.
    while (this.#before.names.homeOf(name) !== undefined) name += "'";
    this.#born.add(name);
    return name;
  }

  /** The entries of a list, to be written to. */
  #entries(list: Name): Entry[] {
    let entries = this.#changes.get(list);
    if (entries === undefined) {
      const held = this.#now.names.entries(list);
      const value = held === undefined ? valueOf(this.#now, list) : undefined;
      entries = held === undefined ? (Array.isArray(value) ? value.map((_, index) => index) : []) : [...held];
      this.#changes.set(list, entries);
    }
    return entries;
  }

  #itemOf(list: Name, index: number): Name | undefined {
    return this.#now.names.itemOf(list, index);
  }

  #child({ name, shape, value }: Place, key: string): Place {
    const { shape: inner, record } = shape.key(key);
    return { name: below(name, key), shape: inner, record, value: isObject(value) ? own(value, key) : undefined };
  }

  /**
   * The container that a path leads into. A path into a tuple is a write to the whole of it, one
   * into a derived field is nothing: then there is no container.
   */
  #parent(tokens: Tokens): Place | undefined {
    let place: Place = { name: "", shape: shapeOf(this.#model.looseSchema), value: this.#now.state, record: false };
    if (isDerived(this.#model.derive, tokens)) return undefined;
    for (const token of tokens.slice(0, -1)) {
      if (this.#isTuple(place)) return undefined;
      if (Array.isArray(place.value)) {
        const index = Number(token);
        const value = place.value[index] as unknown;
        const name = this.#itemOf(place.name, index);
        if (name === undefined || !isContainer(value)) return undefined;
        place = { name, shape: place.shape.items(), value, record: false };
      } else place = this.#child(place, String(token));
    }
    return tokens.length > 0 && this.#isTuple(place) ? undefined : place;
  }

  #isTuple({ name, shape, value, record }: Place): boolean {
    if (!shape.isTuple || !Array.isArray(value)) return false;
    this.#written.set(name, record);
    return true;
  }

  /** What was removed in one place and added, equal, in another is the same thing. */
  matchEqual(): void {
    if (this.#born.size === 0) return;
    const gone: Name[] = [];
    for (const list of this.#lists) {
      for (const index of changedEntries(entriesOf(this.#before, list), entriesOf(this.#now, list)).left) {
        const name = this.#before.names.itemOf(list, index);
        if (name === undefined || locate(this.#now, name) !== undefined) continue;
        for (const part of [name, ...partsOf(this.#before, name)])
          if (locate(this.#now, part) === undefined) gone.push(part);
      }
    }
    if (gone.length === 0) return;
    const byContent = new Map<string, Name[]>();
    for (const name of gone) {
      const content = canonicalJson(this.#removed.get(name) ?? valueOf(this.#before, name));
      byContent.set(content, [...(byContent.get(content) ?? []), name]);
    }
    for (const born of [...this.#born]) {
      const home = this.#now.names.homeOf(born);
      const value = valueOf(this.#now, born);
      if (home === undefined || value === undefined) continue;
      const same = byContent.get(canonicalJson(value))?.shift();
      if (same === undefined) continue;
      const entries = [...(this.#now.names.entries(home.list) ?? [])];
      entries[home.index] = homeEntry(home.list, same);
      this.#now = { ...this.#now, names: this.#now.names.with(new Map([[home.list, entries]])) };
      this.#born.delete(born);
    }
  }
}

/** An item that stands in the list by which it is named is held as its number. */
function homeEntry(list: Name, entry: Entry): Entry {
  if (typeof entry !== "string" || !entry.startsWith(`${list}#`)) return entry;
  const index = entry.slice(list.length + 1);
  return /^\d+$/.test(index) ? Number(index) : entry;
}
