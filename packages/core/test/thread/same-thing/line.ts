// One thread or branch as the oracle recorded it: each commit with its effect by thing.
//
// The ledger is the oracle's whole idea of law 10: what is there after an undo is the fold of the
// recorded effects of the commits that are kept, thing by thing, in the order of their versions.
//
//   v1 run    born K          kept: v2, v3       K is not there, so v2 has lost its thing:
//   v2 ada    K.title = "w2"  ------------->     it must have been named or dropped
//   v3 ada    L.title = "w3"                     L.title is "w3", whatever code runs today

import type { Actor, Commit } from "@opstate/core";
import type { State } from "./board.ts";
import { type Effect, effectOf, slot, type Thing, thingsOf, type Value } from "./things.ts";
import { copyState, rowKey } from "./twin.ts";

/** A number or text that the ledger does not know: it was computed anew since it was recorded. */
export const UNKNOWN = Symbol("unknown");

export interface Entry {
  readonly version: number;
  readonly commit: Commit;
  /** The author's operation: what a merge or an approval carries out, else the commit's own. */
  readonly operation: { readonly type: string };
  readonly author: Actor;
  readonly runId: string | undefined;
  /** The edition of the code that made it. */
  readonly edition: number;
  /** By marks; rows left out. */
  readonly effect: Effect;
  /** The same with rows, by their tags. */
  readonly tagged: Effect;
  /** Of an undo: the versions that it leaves out, and how it was requested. */
  readonly undo?: { readonly versions: ReadonlySet<number>; readonly keep: boolean };
  /** What it set since, by field, where an undo computed it anew. */
  readonly anew: Map<string, Set<Value | typeof UNKNOWN>>;
}

interface Standing {
  readonly list: string;
  readonly owner: string;
  /** It was written by a replacement or a patch: it may be where what it replaced is now. */
  readonly isLoose: boolean;
  /**
   * A record's value that was written over one that is not there: "the recorded effect wherever its
   * things exist" is nothing then, where an undo with "keep" was to leave it.
   */
  readonly mayGo?: boolean;
}

export interface Fold {
  /** The things that are there, with the list they are in. */
  readonly things: ReadonlyMap<string, Standing>;
  readonly values: ReadonlyMap<string, { readonly values: readonly (Value | typeof UNKNOWN)[]; readonly by: number }>;
  /** Kept commits that acted on a thing that is not there, with the thing. */
  readonly orphans: ReadonlyMap<number, string>;
}

/** The versions that a member of `$undo` means: `[from, to]` ranges, or a plain list of numbers. */
export function versionsIn(ranges: unknown): number[] {
  if (!Array.isArray(ranges)) return [];
  return ranges.flatMap((range: unknown) => {
    if (typeof range === "number") return [range];
    if (!Array.isArray(range)) return [];
    const [from, to] = range as number[];
    if (from === undefined || to === undefined) return [];
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

export class Line {
  readonly name: string;
  /** By version. */
  readonly states: State[];
  /** The same states with tagged rows. */
  readonly tagged: State[];
  readonly entries: Entry[] = [];
  /** Whether the oracle lost track of which row is which. */
  blurred = false;
  /** The lowest version that any undo ever left out. */
  lowest = Infinity;

  constructor(name: string, state: State, tagged = copyState(state)) {
    this.name = name;
    this.states = [state];
    this.tagged = [tagged];
  }

  get version(): number {
    return this.entries.length;
  }

  get state(): State {
    return this.states[this.version]!;
  }

  get rows(): State {
    return this.tagged[this.version]!;
  }

  entry(version: number): Entry | undefined {
    return this.entries[version - 1];
  }

  add(entry: Omit<Entry, "effect" | "tagged" | "anew" | "version">, after: State, tagged: State): Entry {
    const added: Entry = {
      ...entry,
      version: this.version + 1,
      effect: effectOf(thingsOf(this.state), thingsOf(after)),
      tagged: effectOf(thingsOf(this.rows, rowKey), thingsOf(tagged, rowKey)),
      anew: new Map(),
    };
    this.entries.push(added);
    this.states.push(after);
    this.tagged.push(tagged);
    for (const version of entry.undo?.versions ?? []) this.lowest = Math.min(this.lowest, version);
    return added;
  }

  /**
   * The versions that are left out at the end of the first `length` commits. Read from the newest
   * entry back, an undo that is left out itself leaves out nothing.
   */
  excluded(length = this.version): Set<number> {
    const out = new Set<number>();
    for (let version = length; version > 0; version -= 1) {
      const entry = this.entry(version);
      if (entry?.undo && !out.has(version)) for (const other of entry.undo.versions) out.add(other);
    }
    return out;
  }

  /**
   * Whether an undo with "keep", of the first `length` commits, is in force: then what is kept need
   * not have its things.
   */
  hasKeep(excluded: ReadonlySet<number>, length = this.version): boolean {
    const entries = this.entries.slice(0, length);
    return entries.some(({ undo, version }) => undo?.keep === true && !excluded.has(version));
  }

  /** What is there by the ledger after the first `length` commits, when these are left out. */
  fold(excluded: ReadonlySet<number>, length = this.version): Fold {
    const things = new Map<string, Standing>();
    const values = new Map<string, { values: (Value | typeof UNKNOWN)[]; by: number }>();
    const orphans = new Map<number, string>();
    const exists = (key: string): boolean => {
      if (key === "root") return true;
      const thing = things.get(key);
      return thing !== undefined && exists(thing.owner);
    };
    const place = (key: string, { list, owner, fields }: Thing, by: number): void => {
      things.set(key, { list, owner, isLoose: replaces(this.entry(by)?.operation) });
      for (const [field, value] of Object.entries(fields)) values.set(slot(key, field), { values: [value], by });
    };
    for (const [key, thing] of thingsOf(this.states[0]!)) place(key, thing, 0);
    for (const { version, effect, undo, operation, anew } of this.entries.slice(0, length)) {
      if (undo || excluded.has(version)) continue;
      for (const [key, thing] of effect.born) {
        const there = exists(key) ? things.get(key) : undefined;
        const had = there && Object.keys(thing.fields).map((field) => values.get(slot(key, field))?.values ?? []);
        if (effect.born.has(thing.owner) || exists(thing.owner)) place(key, thing, version);
        else orphans.set(version, key);
        if (!there) continue;
        // "What was undone after its merge can be merged again": when both are in force, the text
        // does not say whose values count, nor where it is.
        things.set(key, { ...there, isLoose: true });
        for (const [index, field] of Object.keys(thing.fields).entries())
          values.set(slot(key, field), { values: [thing.fields[field]!, ...(had?.[index] ?? [])], by: version });
      }
      if (replaces(operation)) {
        // "An item that a `$replace` or `$patch` writes into, is another thing unless equal": it
        // is a thing of its own, though what it wrote into is gone.
        const after = thingsOf(this.states[version]!);
        for (const { key } of effect.set.values()) {
          const thing = exists(key) || key.startsWith("note ") ? undefined : after.get(key);
          if (thing !== undefined && exists(thing.owner)) place(key, thing, version);
        }
      }
      for (const [key, { to, owner }] of effect.moved) {
        if (exists(key)) things.set(key, { list: to, owner, isLoose: false });
        else orphans.set(version, key);
      }
      for (const { key, field, to } of effect.set.values()) {
        const id = slot(key, field);
        // A record's value is known by its key: to put it writes it, whether it was there or not.
        if (!exists(key) && writesWhole(operation, key))
          things.set(key, { list: "notes", owner: "root", isLoose: false, mayGo: true });
        if (exists(key)) values.set(id, { values: [to, ...(anew.get(id) ?? [])], by: version });
        else orphans.set(version, key);
      }
      for (const key of effect.removed.keys()) things.delete(key);
    }
    for (const key of [...things.keys()]) if (!exists(key)) things.delete(key);
    return { things, values, orphans };
  }
}

function replaces(operation: { readonly type: string } | undefined): boolean {
  return operation?.type === "$replace" || operation?.type === "$patch";
}

const WRITES_WHOLE = new Set(["putNote", "$replace", "$patch"]);

function writesWhole(operation: { readonly type: string }, key: string): boolean {
  if (!key.startsWith("note ")) return false;
  const { operations = [operation] } = operation as { operations?: readonly { readonly type: string }[] };
  return operations.some(({ type }) => WRITES_WHOLE.has(type));
}
