// Containers of the base whose drafts were put somewhere: which of them left their place.

import { ArrayNode } from "./array.ts";
import { Selection } from "./selection.ts";
import { isContainer, type KeptContainer } from "./touched.ts";

/** All of them, with the items of selections. */
export function withItems(kept: KeptContainer[]): KeptContainer[] {
  for (const one of kept)
    if (one instanceof Selection) return kept.flatMap((each) => (each instanceof Selection ? each.kept() : each));
  return kept;
}

/** Those that are not where the base has them. */
export function outOfPlace(kept: readonly KeptContainer[]): KeptContainer[] {
  return kept.filter(({ base, parent, key, finalized }) => {
    const value = parent?.finalized;
    // Its parent is gone.
    if (!isContainer(value)) return true;
    if (!(parent instanceof ArrayNode)) return value[key] !== finalized;
    const at = key === -1 ? parent.base.indexOf(base) : (key as number);
    return parent.touched?.splices.some(({ from, removed }) => from <= at && at < from + removed) === true;
  });
}

/**
 * Whether a new list in a list's place has no containers but items of that list, as they were: then
 * a comparison knows them.
 */
export function hasOnlyItemsOf(
  kept: readonly KeptContainer[],
  before: readonly unknown[],
  after: readonly unknown[],
): boolean {
  const items = new Set<unknown>();
  for (const { base, parent, touched } of kept) {
    if (touched !== undefined || parent?.base !== before) return false;
    items.add(base);
  }
  return after.every((item) => !isContainer(item) || items.has(item));
}
