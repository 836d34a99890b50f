// Which items of an old list are in the list that replaced it.

import { canonicalJson } from "../../json/canonical.ts";

/** For each new item the index of the old one that it is: the same reference, else an equal one. */
export function matchItems(old: readonly unknown[], items: readonly unknown[]): readonly number[] {
  const from = items.map((item, index) => (index < old.length && item === old[index] ? index : -1));
  const used = new Set(from);
  const claim = (keyOf: (value: unknown) => unknown): void => {
    const open = new Map<unknown, number[]>();
    for (let index = old.length - 1; index >= 0; index--) {
      if (used.has(index)) continue;
      const key = keyOf(old[index]);
      const held = open.get(key);
      if (held === undefined) open.set(key, [index]);
      else held.push(index);
    }
    for (const [index, item] of items.entries()) {
      if ((from[index] ?? -1) >= 0) continue;
      const found = open.get(keyOf(item))?.pop();
      if (found === undefined) continue;
      from[index] = found;
      used.add(found);
    }
  };
  claim((value) => value);
  if (from.some((source) => source < 0)) claim(canonicalJson);
  return from;
}
