// LangGraph's rules for lists with ids: an item with a known id replaces the old one in its place,
// a new item is appended, a removal removes. All of an update is applied, or nothing.

import { equal } from "../json/equal.ts";
import { isRemoval, REMOVE_ALL } from "./message.ts";

export type Merged =
  | { readonly ok: true; readonly items: readonly unknown[] }
  /** The removal at `index` has an unknown id. */
  | { readonly ok: false; readonly index: number; readonly id: string };

const LEVELS = 100;

/** Whether the update removes all items. */
export function removesAll(incoming: readonly unknown[]): boolean {
  return startOf(incoming) > 0;
}

/**
 * `current` with `incoming` merged in; `current` itself when nothing changes. An item without an id
 * is appended.
 */
export function mergeById(
  current: readonly unknown[],
  incoming: readonly unknown[],
  idOf: (item: unknown) => string | undefined,
): Merged {
  const start = startOf(incoming);
  const merged = start > 0 ? [] : [...current];
  const places = new Map<string | undefined, number>(merged.map((item, index) => [idOf(item), index]));
  places.delete(undefined);
  const removed = new Set<string>();
  for (let index = start; index < incoming.length; index++) {
    const item = incoming[index];
    if (isRemoval(item)) {
      if (!places.has(item.id)) return { ok: false, index, id: item.id };
      removed.add(item.id);
      continue;
    }
    const id = idOf(item);
    const place = id === undefined ? undefined : places.get(id);
    // An item that is sent again after its removal keeps its place.
    if (id !== undefined) removed.delete(id);
    if (place === undefined) {
      if (id !== undefined) places.set(id, merged.length);
      merged.push(item);
    } else if (!equal(merged[place], item, LEVELS)) merged[place] = item;
  }
  const items = removed.size === 0 ? merged : merged.filter((item) => !isIn(removed, idOf(item)));
  const unchanged =
    items.length === current.length && items.every((item, index) => equal(item, current[index], LEVELS));
  return { ok: true, items: unchanged ? current : items };
}

function isIn(ids: ReadonlySet<string>, id: string | undefined): boolean {
  return id !== undefined && ids.has(id);
}

/** The index after the last removal of all: earlier items of the update have no effect. */
function startOf(incoming: readonly unknown[]): number {
  return incoming.findLastIndex((item) => isRemoval(item) && item.id === REMOVE_ALL) + 1;
}
