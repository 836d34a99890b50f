// Law 10, checked cheaply: cards have ids that never change, and names are their own. So what a
// commit did can be said by thing, and what is left of a history is the sum of what is kept.
//
//   branch    write on X "b 7"             merge    X has the text "b 7", whatever is where X
//                                                   was; nothing else is another than before
//   thread    v1 born X, v2 X.text = "t"   undo of v1 and v2    neither X nor its text is there
//
// The order of cards is left to the reducer and to the oracle of `same-thing`.

import type { Deed } from "./course.ts";
import type { Tally } from "../tally.ts";
import { insist } from "./violation.ts";

/** What a commit did. */
export interface Did {
  /** Cards that were created, with their texts. */
  readonly born: ReadonlyMap<string, string>;
  readonly gone: ReadonlySet<string>;
  /** Cards that were there and have another text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** What the count was set to; undefined: it stayed. */
  readonly count: number | undefined;
}

export function didOf(before: Tally, after: Tally): Did {
  const then = textsOf(before);
  const now = textsOf(after);
  return {
    born: new Map([...now].filter(([id]) => !then.has(id))),
    gone: new Set([...then.keys()].filter((id) => !now.has(id))),
    texts: new Map([...now].filter(([id, text]) => then.has(id) && then.get(id) !== text)),
    added: without(after.names, before.names),
    removed: without(before.names, after.names),
    count: before.count === after.count ? undefined : after.count,
  };
}

/** Of some names, those that are left without others: a name may be there twice. */
function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...names];
  for (const name of others) {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

/**
 * What is done again changes the things that it changed at first, as it did, and no other. Where it
 * was `carried`, since its operation is refused now, the count may be the recorded one. It stays
 * where an undo on the branch carried the work too, and the count was the recorded one already.
 */
export function checkAgain(what: string, first: Did, before: Tally, after: Tally, work: Work & Again): void {
  const { deed, carried, leavesCount } = work;
  const now = didOf(before, after);
  const texts = textsOf(after);
  const only = (those: Iterable<string>, meant: ReadonlySet<string> | ReadonlyMap<string, unknown>, how: string) => {
    for (const one of those) insist(meant.has(one), () => `${what}: ${one} is ${how}, which it was not at first`);
  };
  only(now.born.keys(), first.born, "created");
  only(now.gone, first.gone, "removed");
  only(now.texts.keys(), first.texts, "written on");
  only(now.added, new Set(first.added), "added");
  only(now.removed, new Set(first.removed), "removed");
  for (const [id, text] of [...first.born, ...first.texts])
    insist(texts.get(id) === text, () => `${what}: ${id} has ${JSON.stringify(texts.get(id))} instead of "${text}"`);
  for (const id of first.gone) insist(!texts.has(id), () => `${what}: ${id} is still there`);
  for (const name of first.added) insist(after.names.includes(name), () => `${what}: "${name}" is not there`);
  // A name that an undo with "keep" put there twice goes once.
  const times = (names: readonly string[], name: string) => names.filter((each) => each === name).length;
  for (const name of first.removed)
    insist(
      times(after.names, name) <= Math.max(0, times(before.names, name) - 1),
      () => `${what}: "${name}" is still there`,
    );
  const isRecorded = carried && after.count === (leavesCount ? before.count : first.count);
  insist(
    isRecorded || after.count === countAfter(before.count, deed.operation),
    () => `${what}: the count is ${after.count}`,
  );
}

/** What is done again: what it is, and whether its recorded effect was carried. */
export interface Work {
  readonly deed: Deed;
  readonly carried: boolean;
}

/** Of what is done again: whether an undo that kept it recorded that it leaves the count. */
export interface Again {
  readonly leavesCount: boolean;
}

/** One kept commit. It was carried if an undo did so. */
export interface Kept extends Work {
  readonly did: Did;
}

/**
 * The state is what the kept commits did, one after the other. One that was carried may have set
 * the count to what it was recorded with, and may have added to it: it can be accepted again later.
 * Two kept commits create the same card when its creation was undone, merged again, and redone: the
 * second finds it there, and leaves what was written on it.
 */
export function checkSum(what: string, base: Tally, kept: readonly Kept[], state: Tally): void {
  const cards = textsOf(base);
  let names = base.names;
  let counted = new Set([base.count]);
  for (const { did, deed, carried } of kept) {
    for (const [id, text] of did.born) if (!cards.has(id)) cards.set(id, text);
    for (const [id, text] of did.texts) if (cards.has(id)) cards.set(id, text);
    for (const id of did.gone) cards.delete(id);
    names = without([...names, ...did.added], did.removed);
    counted = new Set([...counted].map((count) => countAfter(count, deed.operation)));
    if (carried && did.count !== undefined) counted.add(did.count);
  }
  const sorted = (all: Iterable<unknown>) =>
    Array.from(all, (one) => JSON.stringify(one))
      .sort()
      .join();
  const same = (a: Iterable<unknown>, b: Iterable<unknown>) => sorted(a) === sorted(b);
  const isSum =
    same(
      cards,
      state.cards.map(({ id, text }) => [id, text]),
    ) &&
    same(names, state.names) &&
    counted.has(state.count);
  insist(
    isSum,
    () =>
      `${what}: ${JSON.stringify(state)} is not ${JSON.stringify({ cards: [...cards], names, count: [...counted] })}`,
  );
}

function textsOf({ cards }: Tally): Map<string, string> {
  return new Map(cards.map(({ id, text }) => [id, text]));
}

function countAfter(count: number, operation: { readonly type: string }): number {
  const { type, by, operations } = operation as { type: string; by?: number; operations?: { type: string }[] };
  if (type === "$batch") return (operations ?? []).reduce(countAfter, count);
  if (type === "reset") return 0;
  return type === "add" ? count + (by ?? 0) : count;
}
