// How an array differs from its base, kept while it is edited: stretches of the base that gave way
// to others, in order and never adjacent. Everything outside of them is the base, shifted. One edit
// costs a search and the shift of what stands behind it.

import type { Splice } from "../touched.ts";

type Draft = { -readonly [K in keyof Splice]: Splice[K] };

export class Splices {
  list: Draft[] = [];

  /** At `start`, `removed` present items give way to `inserted` new ones. */
  record(start: number, removed: number, inserted: number): void {
    const { list } = this;
    if (list.length === 0) {
      this.list = [{ from: start, removed, at: start, inserted }];
      return;
    }
    const end = start + removed;
    let first = this.#count("at", start);
    const before = list[first - 1];
    if (before !== undefined && before.at + before.inserted >= start) first -= 1;
    const after = this.#count("at", end);
    const merged: Draft = { from: 0, removed, at: start, inserted };
    const head = list[first];
    const tail = list[after - 1];
    if (first >= after || head === undefined || tail === undefined) {
      merged.from = start - shiftOf(list[first - 1]);
    } else {
      // The edit meets other stretches: one stretch takes the place of all of them, and of what
      // lies between.
      const lead = Math.max(0, head.at - start);
      const rest = Math.max(0, end - tail.at - tail.inserted);
      merged.at = head.at - lead;
      merged.from = head.from - lead;
      merged.removed = tail.from + tail.removed + rest - merged.from;
      merged.inserted = tail.at + tail.inserted + rest - merged.at + inserted - removed;
    }
    if (first === list.length) {
      list.push(merged);
      return;
    }
    list.splice(first, Math.max(0, after - first), merged);
    const shift = inserted - removed;
    if (shift !== 0) for (let i = first + 1; i < list.length; i++) (list[i] as Draft).at += shift;
  }

  /** The index in the base of the item at `index`; -1 when it is not where the base has it. */
  toBase(index: number): number {
    const splice = this.list[this.#count("at", index) - 1];
    if (splice === undefined) return index;
    const past = index - splice.at - splice.inserted;
    return past < 0 ? -1 : splice.from + splice.removed + past;
  }

  /** The present index of the base's item at `index`; -1 when it is gone from its place. */
  toPresent(index: number): number {
    const splice = this.list[this.#count("from", index) - 1];
    if (splice === undefined) return index;
    const past = index - splice.from - splice.removed;
    return past < 0 ? -1 : splice.at + splice.inserted + past;
  }

  /** How many stretches start at or before a position. */
  #count(side: "at" | "from", position: number): number {
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.list[middle] as Draft)[side] <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function shiftOf(splice: Draft | undefined): number {
  return splice === undefined ? 0 : splice.at + splice.inserted - splice.from - splice.removed;
}

/**
 * Items may be back where they were though they were spliced: equal strings and numbers are one and
 * the same.
 */
export function sameFrom(start: number, base: readonly unknown[], value: readonly unknown[]): boolean {
  if (base.length !== value.length) return false;
  for (let i = start; i < base.length; i++) if (base[i] !== value[i]) return false;
  return true;
}

/**
 * A stretch without the items that are, after all, the same at its ends; undefined when all are.
 */
export function trim(splice: Splice, base: readonly unknown[], value: readonly unknown[]): Splice | undefined {
  const { from, removed, at, inserted } = splice;
  let start = 0;
  let end = Math.min(removed, inserted);
  while (start < end && base[from + start] === value[at + start]) start += 1;
  end -= start;
  let kept = 0;
  while (kept < end && base[from + removed - 1 - kept] === value[at + inserted - 1 - kept]) kept += 1;
  const shared = start + kept;
  if (shared === removed && shared === inserted) return undefined;
  if (shared === 0) return splice;
  return { from: from + start, removed: removed - shared, at: at + start, inserted: inserted - shared };
}
