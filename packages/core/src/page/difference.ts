// What differs between two states: the patches that lead from one to the other, and, for a caller
// who asks, the places that were written to and the items that left their lists or came into one.
//
// The patches are exact, and no more than that: they replace a list whose items are others. Items
// are known by their identity.

import { isContainer, isObject, own } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { Patch, PatchOperation } from "../patch/operation.ts";
import { knownIdentity } from "./identity.ts";
import { pointerOf } from "./json.ts";

export type Tokens = readonly (string | number)[];

/** Takes note of a comparison. Each place is where it stood before. */
export interface Watch {
  /** Whether what differs within the place is left out: a derived field. */
  skips(place: Tokens): boolean;
  /** Another value stands there; or, where none is given, other items or another order. */
  wrote(place: Tokens, then?: unknown, now?: unknown): void;
  left(item: object, place: Tokens): unknown;
  came(item: object): unknown;
  /** Whether an array is one value, not a list of items. */
  isTuple(place: Tokens): boolean;
}

/** With a `watch`, the patches are of no use. */
export function difference(then: unknown, now: unknown, watch?: Watch, place: Tokens = []): Patch {
  const patches: PatchOperation[] = [];

  /** `path`: where the value stands when the patch gets there. */
  const compare = (before: unknown, after: unknown, path: string, at: Tokens): void => {
    if (before === after || watch?.skips(at)) return;
    if (Array.isArray(before) && Array.isArray(after) && !watch?.isTuple(at)) compareLists(before, after, path, at);
    else if (isObject(before) && isObject(after))
      for (const key of Object.keys({ ...before, ...after })) {
        const below = path + pointerOf([key]);
        const [old, value] = [own(before, key), own(after, key)];
        if (old !== undefined && value !== undefined) compare(old, value, below, [...at, key]);
        else if (old !== value) {
          if (!watch?.skips([...at, key])) watch?.wrote([...at, key], old, value);
          patches.push(value === undefined ? { op: "remove", path: below } : { op: "add", path: below, value });
        }
      }
    else if (!equal(before, after)) {
      watch?.wrote(at, before, after);
      patches.push({ op: "replace", path, value: after });
    }
  };

  const compareLists = (before: readonly unknown[], after: readonly unknown[], path: string, at: Tokens): void => {
    const [olds, news] = [before.map(keyOf), after.map(keyOf)];
    const [from, to] = [new Map(olds.map((key, index) => [key, index])), new Set(news)];
    if (!equal(olds, news, 1)) {
      patches.push({ op: "replace", path, value: after });
      if (!watch) return;
      before.forEach((item, index) => to.has(olds[index]) || !isContainer(item) || watch.left(item, [...at, index]));
      after.forEach((item, index) => from.has(news[index]) || !isContainer(item) || watch.came(item));
      const stayed = olds.filter((key, index) => to.has(key) || !isContainer(before[index]));
      if (!equal(news, stayed, 1)) watch.wrote(at);
    }
    for (const [index, value] of after.entries()) {
      const old = from.get(news[index]);
      if (old !== undefined) compare(before[old], value, `${path}/${index}`, [...at, old]);
    }
  };

  compare(then, now, "", place);
  return patches;
}

/** What tells the items of a list apart. */
function keyOf(item: unknown): unknown {
  return isContainer(item) ? (knownIdentity(item) ?? item) : JSON.stringify(item);
}
