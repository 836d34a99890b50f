/**
 * Which item of a new list comes from which item of the old one. Items match by content, first by
 * reference, and the longest run of matches that keeps its order stays in place: the others move.
 * What is left over between two neighbours that stay counts as a change of what was there.
 *
 * Indices count from the start of the window, the part of both lists that differs.
 */
import { equal } from "../json/equal.ts";
import { isPlainContainer, isRecord } from "../json/container.ts";

/**
 * What became of a new item: it is new, it stayed, it was moved, or it was changed in its place.
 */
export const ADDED = 0;
const KEPT = 1;
export const MOVED = 2;
export const CHANGED = 3;

interface Window {
  readonly start: number;
  readonly oldCount: number;
  readonly newCount: number;
}

export interface Alignment {
  /** For each new item, the old item it comes from; -1 when it is ADDED. */
  readonly sources: Int32Array;
  /** For each new item, ADDED, KEPT, MOVED or CHANGED. */
  readonly states: Uint8Array;
  /** For each old item, whether some new item comes from it. */
  readonly survives: Uint8Array;
}

/**
 * Values of a container that its outline has: enough to know it by, too few to cost much when it
 * is large.
 */
const OUTLINE = 64;

/** Whether one item went from one end of the window to the other: 1 to its end, -1 to its start. */
export function rotation(
  before: readonly unknown[],
  after: readonly unknown[],
  { start, oldCount, newCount }: Window,
  levels: number,
): -1 | 0 | 1 {
  if (oldCount !== newCount || oldCount < 2) return 0;
  const last = start + oldCount - 1;
  const same = (i: number, j: number) => equal(before[i], after[j], levels);
  const all = (old: 0 | 1) => {
    for (let k = start; k < last; k++) if (!same(k + old, k + 1 - old)) return false;
    return true;
  };
  if (same(start, last) && all(1)) return 1;
  return same(last, start) && all(0) ? -1 : 0;
}

export function align(
  before: readonly unknown[],
  after: readonly unknown[],
  { start, oldCount, newCount }: Window,
  levels: number,
): Alignment {
  const sources = new Int32Array(newCount).fill(-1);
  const states = new Uint8Array(newCount);
  const survives = new Uint8Array(oldCount);

  const claim = (i: number, j: number) => {
    if (survives[i] || states[j] !== ADDED) return false;
    if (!equal(before[start + i], after[start + j], levels)) return false;
    sources[j] = i;
    states[j] = MOVED;
    survives[i] = 1;
    return true;
  };

  // Most items are where they were, counted from the one end or from the other.
  const offset = newCount - oldCount;
  for (let i = 0; i < oldCount; i++) if (!claim(i, i)) claim(i, i + offset);

  /** Matches what is left by equal keys, in order; an item without a key is left alone. */
  const claimBy = (keyOf: (value: unknown) => unknown) => {
    const first = new Map<unknown, number>();
    const next = new Int32Array(oldCount);
    for (const i of unclaimed(survives).reverse()) {
      const key = keyOf(before[start + i]);
      if (key === undefined) continue;
      next[i] = first.get(key) ?? -1;
      first.set(key, i);
    }
    if (first.size === 0) return;
    for (const j of unclaimed(states)) {
      const key = keyOf(after[start + j]);
      const i = first.get(key) ?? -1;
      if (i >= 0 && claim(i, j)) first.set(key, at(next, i));
    }
  };
  claimBy((value) => value);
  claimBy((value) => (isPlainContainer(value) ? outline(value, { left: OUTLINE }) : undefined));

  keepLongestRun(sources, states);
  pairLeftovers(sources, states, survives);
  return { sources, states, survives };
}

/** Reads a list of indices; -1 outside of it. */
export function at(indices: Int32Array, position: number): number {
  return indices[position] ?? -1;
}

/** The positions of zeros: old items that do not survive, or new items without a source. */
function unclaimed(marks: Uint8Array): number[] {
  const found: number[] = [];
  for (let k = marks.indexOf(0); k >= 0; k = marks.indexOf(0, k + 1)) found.push(k);
  return found;
}

/** Turns the longest ascending run of sources from MOVED to KEPT (patience sorting). */
export function keepLongestRun(sources: Int32Array, states: Uint8Array): void {
  /** For each length of run, the item that ends the one with the lowest end. */
  const ends = new Int32Array(sources.length);
  const previous = new Int32Array(sources.length);
  let longest = 0;
  for (let j = 0; j < sources.length; j++) {
    const source = at(sources, j);
    if (source < 0) continue;
    let low = 0;
    let high = longest;
    // Most lists are in order for the most part: try the end before searching.
    if (longest > 0 && at(sources, at(ends, longest - 1)) < source) low = longest;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(sources, at(ends, middle)) < source) low = middle + 1;
      else high = middle;
    }
    previous[j] = at(ends, low - 1);
    ends[low] = j;
    if (low === longest) longest++;
  }
  for (let j = at(ends, longest - 1); j >= 0; j = at(previous, j)) states[j] = KEPT;
}

function pairLeftovers(sources: Int32Array, states: Uint8Array, survives: Uint8Array): void {
  const bounds = new Int32Array(sources.length);
  let bound = survives.length;
  for (let j = sources.length - 1; j >= 0; j--) {
    bounds[j] = bound;
    if (states[j] === KEPT) bound = at(sources, j);
  }
  let i = 0;
  for (let j = 0; j < sources.length; j++) {
    if (states[j] === KEPT) i = at(sources, j) + 1;
    if (states[j] !== ADDED) continue;
    while (i < at(bounds, j) && survives[i]) i++;
    if (i >= at(bounds, j)) continue;
    sources[j] = i;
    states[j] = CHANGED;
    survives[i] = 1;
  }
}

/**
 * The beginning of a value's content, whatever the order of keys: equal values have equal outlines.
 */
function outline(value: unknown, room: { left: number }): string {
  if (room.left-- <= 0) return "";
  let text = "";
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && room.left > 0; i++) text += `${outline(value[i], room)},`;
    return `[${value.length}:${text}`;
  }
  if (!isRecord(value)) return String(value).slice(0, OUTLINE);
  for (const key of Object.keys(value).sort()) {
    if (room.left > 0 && value[key] !== undefined) text += `${key}:${outline(value[key], room)},`;
  }
  return `{${text}`;
}
