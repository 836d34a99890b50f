// The names of things after an update, and which things it touched. That is all a rebase needs of
// an effect. `effectOf` costs more: it also reads what the things contain.
//
//   [A B C D E]  ->  [A C B D E]        both ends are alike: only "B C" -> "C B" is looked at

import { isContainer } from "../../json/container.ts";
import { equal } from "../../json/equal.ts";
import { parsePointer, type Patch } from "../../patch/index.ts";
import { isDerived } from "./derived.ts";
import { contentOf } from "./content.ts";
import { effectOf, type Origin, replaces } from "./effect-of.ts";
import { follow, type Followed, type ThingModel } from "./follow.ts";
import { changedEntries, entriesOf, locate, type NamedState, valueOf } from "./names.ts";
import { type Name, ownerOf } from "./spelling.ts";
import { thingOf, touchedThings } from "./touched.ts";

export interface Trace {
  readonly after: NamedState;
  /** The things that were there before and that it touched, each once. */
  readonly touched: readonly Name[];
}

/** Throws when the patches do not apply. */
export function trace(model: ThingModel, before: NamedState, patches: Patch, origin: Origin): Trace {
  if (mayMakeOthers(origin)) {
    const effect = effectOf(model, before, patches, origin);
    return { after: effect.after, touched: touchedThings(model, effect) };
  }
  const made = patches.filter(({ path }) => !isDerived(model.derive, parsePointer(path)));
  const followed = follow(model, before, made, origin.source);
  const touched = new Set<Name>();
  for (const place of touchedPlaces(model, followed)) {
    const thing = thingOf(model, before, place);
    if (thing !== undefined) touched.add(thing);
  }
  return { after: followed.after, touched: [...touched] };
}

/** Whether things that an operation wrote to may be others afterwards: what its input brought. */
function mayMakeOthers({ operation }: Origin): boolean {
  return replaces(operation) || Object.values(operation).some(isContainer);
}

function* touchedPlaces(model: ThingModel, followed: Followed): Generator<Name> {
  const { before, after, written, lists } = followed;
  for (const place of written.keys()) {
    const owner = ownerOf(place);
    if (locate(before, owner) === undefined || locate(after, owner) === undefined) continue;
    if (!equal(contentOf(model, before, place), contentOf(model, after, place), Infinity)) yield place;
  }
  for (const list of lists) {
    if (locate(before, ownerOf(list)) === undefined) continue;
    const { left, isMore } = changedEntries(entriesOf(before, list), entriesOf(after, list));
    const items = left.length === 0 ? undefined : valueOf(before, list);
    for (const index of left) {
      const item = isList(items) && isContainer(items[index]) ? before.names.itemOf(list, index) : undefined;
      if (item !== undefined) yield item;
    }
    if (isMore || hasOtherValues(before, after, list)) yield list;
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether a list holds other values beside its things. */
function hasOtherValues(before: NamedState, after: NamedState, list: Name): boolean {
  const [then, now] = [valuesIn(before, list), valuesIn(after, list)];
  return then.length !== now.length || then.some((value, index) => value !== now[index]);
}

function valuesIn(named: NamedState, list: Name): readonly unknown[] {
  const items = valueOf(named, list);
  return isList(items) ? items.filter((item) => !isContainer(item)) : [];
}
