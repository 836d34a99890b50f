// Compares two effects: whether an update did the same to the same things on two states.
//
//   footprint of an effect: one text for each thing that it touched, and how
//
//     = place      written to             > thing list   moved there
//     + list       something born there   ~ list         ordered
//     - thing      removed                v list value   a value added (removed: w)

import { canonicalJson } from "../../json/canonical.ts";
import { isContainer } from "../../json/container.ts";
import { equal } from "../../json/equal.ts";
import type { Birth, Effect } from "./effect.ts";
import { itemsOf, locate, type NamedState, valueOf } from "./names.ts";
import { type Name } from "./spelling.ts";

export type Likeness =
  /** The same to the same things. */
  | "same"
  /** Other values to the same things, and what it bore is the same. */
  | "other_values"
  /** What it bore has another content. */
  | "other_content"
  /** Other things, or more of them. */
  | "other_things"
  /** A part of them. */
  | "less";

export interface Comparison {
  readonly likeness: Likeness;
  /** The names that the second effect's births have in the first. */
  readonly births: ReadonlyMap<Name, Name>;
}

/** Whether an effect did nothing. */
export function isEmpty({ sets, born, removed, moved, ordered, values }: Effect): boolean {
  return sets.size + born.length + removed.size + moved.size + ordered.size + values.size === 0;
}

/** Whether an effect gave fields of things other values, and nothing else. */
export function isEdits({ sets, born, removed, moved, ordered, values }: Effect): boolean {
  if (born.length + removed.size + moved.size + ordered.size + values.size > 0) return false;
  for (const { before, after } of sets.values()) if (isContainer(before) || isContainer(after)) return false;
  return true;
}

/**
 * How `now` is like what was recorded. What the other state already has, or has no more, counts as
 * done: a thing that is not there need not be removed.
 */
export function compareEffects(recorded: Effect, now: Effect): Comparison {
  const births = matchBirths(recorded.born, now.born);
  const done = (key: string): boolean => isDone(recorded, now.before, now.after, key);
  const wanted = footprint(recorded);
  const found = footprint(now);
  const likeness = (): Likeness => {
    let missing = 0;
    for (const [key, count] of wanted) {
      const left = count - (found.get(key) ?? 0);
      if (left > 0 && !done(key)) missing += left;
    }
    let more = 0;
    for (const [key, count] of found) if (count > (wanted.get(key) ?? 0)) more += 1;
    if (more > 0) return "other_things";
    if (missing > 0) return "less";
    if (births.size < now.born.length) return "other_content";
    return valuesAlike(recorded, now);
  };
  return { likeness: likeness(), births };
}

/** How effects on the same things differ in what they put there. */
function valuesAlike(recorded: Effect, now: Effect): Likeness {
  let likeness: Likeness = "same";
  for (const [place, { after, born }] of recorded.sets) {
    const write = now.sets.get(place);
    if (write === undefined || equal(write.after, after, Infinity)) continue;
    // A value of a record is a thing: born with another content, it is another one.
    if (born || write.born) return "other_content";
    likeness = "other_values";
  }
  for (const list of recorded.ordered)
    if (now.ordered.has(list) && !isOrderedAlike(recorded.after, now.after, list)) likeness = "other_values";
  return likeness;
}

/** The lists in which two effects, which did the same to one state, put things differently. */
export function listsPlacedOtherwise(recorded: Effect, now: Effect): readonly Name[] {
  const lists = new Set(recorded.values.keys());
  for (const { list } of recorded.born) lists.add(list);
  for (const { to } of recorded.moved.values()) lists.add(to);
  return [...lists].filter((list) => !isOrderedAlike(recorded.after, now.after, list));
}

/** Whether there is nothing in it but removals of what is gone from another state. */
export function isSatisfied(recorded: Effect, now: NamedState): boolean {
  if (recorded.born.length + recorded.moved.size + recorded.ordered.size > 0) return false;
  // A value of a record goes by being set to nothing.
  for (const [place, { after }] of recorded.sets)
    if (after !== undefined || locate(now, place) !== undefined) return false;
  for (const name of recorded.removed.keys()) if (locate(now, name) !== undefined) return false;
  for (const [list, { added, removed }] of recorded.values)
    if (added.length > 0 || removed.some((value) => countOf(now, list, value) > 0)) return false;
  return !isEmpty(recorded);
}

function footprint({ sets, born, removed, moved, ordered, values }: Effect): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const note = (key: string): void => void found.set(key, (found.get(key) ?? 0) + 1);
  for (const place of sets.keys()) note(`=${place}`);
  for (const { list } of born) note(`+${list}`);
  for (const name of removed.keys()) note(`-${name}`);
  for (const [name, { to }] of moved) note(`>${name} ${to}`);
  for (const list of ordered) note(`~${list}`);
  for (const [list, changed] of values) {
    for (const value of changed.added) note(`v${list} ${JSON.stringify(value)}`);
    for (const value of changed.removed) note(`w${list} ${JSON.stringify(value)}`);
  }
  return found;
}

/** Whether a state has already what an effect did. */
function isDone(recorded: Effect, before: NamedState, after: NamedState, key: string): boolean {
  const subject = key.slice(1);
  switch (key[0]) {
    case "-":
      return locate(before, subject) === undefined;
    case "=": {
      const write = recorded.sets.get(subject);
      return write !== undefined && equal(valueOf(after, subject), write.after, Infinity);
    }
    case ">": {
      const [name = "", to] = subject.split(" ");
      return locate(after, name) !== undefined && after.names.homeOf(name)?.list === to;
    }
    case "~":
      return isOrderedAlike(recorded.after, after, subject);
    case "+":
      return false;
    default: {
      const space = subject.indexOf(" ");
      const list = subject.slice(0, space);
      const value: unknown = JSON.parse(subject.slice(space + 1));
      const count = countOf(after, list, value);
      return key[0] === "w" ? count === 0 : count > 0 && count >= countOf(recorded.after, list, value);
    }
  }
}

function countOf(named: NamedState, list: Name, value: unknown): number {
  const items = valueOf(named, list);
  return Array.isArray(items) ? items.filter((item) => item === value).length : 0;
}

/** Whether the things that two states have in a list are in one order. */
export function isOrderedAlike(left: NamedState, right: NamedState, list: Name): boolean {
  const [ours, theirs] = [itemsOf(left, list), itemsOf(right, list)];
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)];
  const plain = (named: NamedState) => canonicalJson(valueOf(named, list));
  if (ours.length === 0 && theirs.length === 0) return plain(left) === plain(right);
  return equal(
    ours.filter((name) => inTheirs.has(name)),
    theirs.filter((name) => inOurs.has(name)),
    1,
  );
}

/** Births in one list with one content are the same birth, in their order. */
function matchBirths(recorded: readonly Birth[], now: readonly Birth[]): ReadonlyMap<Name, Name> {
  const open = new Map<string, Name[]>();
  const keyOf = ({ list, content }: Birth): string => `${list} ${canonicalJson(content)}`;
  for (const birth of recorded) open.set(keyOf(birth), [...(open.get(keyOf(birth)) ?? []), birth.name]);
  const names = new Map<Name, Name>();
  for (const birth of now) {
    const name = open.get(keyOf(birth))?.shift();
    if (name !== undefined) names.set(birth.name, name);
  }
  return names;
}
