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

import type { Patch } from "../../patch/index.ts";
import type { NamedState } from "./names.ts";
import type { Name } from "./spelling.ts";

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
  /** By thing, the list that it was removed from; undefined for what was within a removed one. */
  readonly removed: ReadonlyMap<Name, Name | undefined>;
  readonly moved: ReadonlyMap<Name, { readonly from: Name; readonly to: Name }>;
  /** Lists in which things that stayed have another order. */
  readonly ordered: ReadonlySet<Name>;
  readonly values: ReadonlyMap<Name, Values>;
  /** New names by old ones: of things that the update made other things of. */
  readonly renamed: ReadonlyMap<Name, Name>;
  /** The patches that it was read off. */
  readonly patches: Patch;
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
