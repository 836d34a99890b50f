// What an edit touched, as a tree: what validation and derived fields have to look at, and what the
// patches are made from.
//
//   draft.columns[1].cards.push(card)     base                new state
//                                         {}              ->  {}              Change, key ""
//   A Change for each container on        └ columns []    ->  └ columns []    Change "columns"
//   the way. What stands beside it          ├ 0 {}        ==    ├ 0 {}
//   is the base's own.                      └ 1 {}        ->    └ 1 {}        Change 1
//                                             └ cards []  ->      └ cards []  Change "cards", a
//                                             splice └ {}      assigned

import type { Room } from "./room.ts";
import type { Container } from "../../json/container.ts";

export type Key = string | number;

export { isContainer, type Container } from "../../json/container.ts";

/**
 * A container of the new state that the base has too, but not as it is now: edited itself, or
 * somewhere below. The tree of them starts at the root and costs what the edits cost, whatever the
 * size of the containers. What an operation put in is not looked into: it is `assigned` as a whole.
 */
export interface Touched {
  /** Its key, or its index, in the new parent; "" at the root. */
  readonly key: Key;
  readonly base: object;
  readonly value: object;
  /**
   * Keys and indices of `value` that hold something new as a whole (assigned, inserted), and the
   * keys that an object has lost.
   */
  readonly assigned: readonly Key[];
  readonly children: readonly Touched[];
  /**
   * Of an array, in order: the stretches that gave way to others. What stands outside of them is
   * the base's, shifted. None of an object.
   */
  readonly splices: readonly Splice[];
}

/** `removed` items of the base at `from` gave way to `inserted` new ones, which stand at `at`. */
export interface Splice {
  readonly from: number;
  readonly removed: number;
  readonly at: number;
  readonly inserted: number;
}

/** The tree while it is made. */
export interface Change extends Touched {
  key: Key;
  /** The key or index in the base. */
  from: Key;
  value: Container;
  readonly base: Container;
  assigned: readonly Key[];
  children: readonly Change[];
  /** Sorted or reversed: one replacement says it best. */
  readonly reordered: boolean;
}

/**
 * A list with one more item. Most lists have one: a push to an empty array makes room for 17. An
 * empty list may be shared, so it is not written to.
 */
export function added<T>(list: readonly T[] | undefined, item: T): T[] {
  if (list === undefined || list.length === 0) return [item];
  (list as T[]).push(item);
  return list as T[];
}

/** Containers of the base that an operation put somewhere, by drafts of them. */
export interface KeptContainers {
  /** How many were put back, unedited, into the list that had them, which was not sorted. */
  readonly inList: number;
  /** Those that were edited, or left the list or the object that had them. */
  readonly moved: readonly KeptContainer[];
  /** What derived fields made of the values that were put somewhere, to what these were. */
  copies: Map<object, object> | undefined;
}

/** One of them: a node, after the operation. */
export interface KeptContainer {
  readonly base: object;
  readonly parent: KeptContainer | undefined;
  /** In `parent`, in the base; an index of -1 is not known. */
  readonly key: Key;
  /** Its value in the new state, derived fields aside. */
  readonly finalized: object | "open" | undefined;
  /** What changed in it. */
  readonly touched: Change | undefined;
}

/** What drafts became: plain values, still open to derived fields. */
export interface Finalized {
  /** Undefined when nothing was touched. */
  readonly root: Change | undefined;
  /** New containers that are to be frozen; undefined when nothing is. */
  readonly created: object[] | undefined;
  /** Containers of the base that an operation put somewhere. */
  readonly kept: KeptContainers;
  /** Counts what derived fields put in. */
  readonly room?: Room | undefined;
  /** A container may stand in two places: copy it before a write. */
  readonly aliased: boolean;
}
