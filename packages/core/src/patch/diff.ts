/**
 * The patch that leads from one JSON value to another. Parts that both share by reference are never
 * compared. Within a list, items are matched by content, so that an insertion, a removal or a
 * move stays one operation. No part costs more than replacing it as a whole would.
 */
import { ADDED, align, at, CHANGED, rotation } from "./align.ts";
import { equal } from "../json/equal.ts";
import { isRecord, own } from "../json/container.ts";
import { planMoves } from "./moves.ts";
import type { Patch } from "./operation.ts";
import { escapeToken } from "./pointer.ts";
import { LEVELS, Script } from "./script.ts";

/**
 * The JSON Patch that turns `before` into `after`: never longer, as JSON, than one that replaces
 * the whole. The order of keys does not matter, and a member that is undefined counts as absent.
 *
 * @example
 * ```ts
 * import { diff } from "@opstate/core/json-patch";
 *
 * diff({ tags: ["a", "b", "c"] }, { tags: ["c", "a", "b"] });
 * // [{ op: "move", from: "/tags/2", path: "/tags/0" }]
 * ```
 */
export function diff(before: unknown, after: unknown): Patch {
  const script = new Script();
  compare(before, after, "", LEVELS, script);
  return script.operations;
}

function compare(before: unknown, after: unknown, path: string, levels: number, script: Script): void {
  if (before === after) return;
  const mark = script.mark();
  if (levels > 0 && Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, levels - 1, script);
    script.keepShorter(mark, path, after);
  } else if (levels > 0 && isRecord(before) && isRecord(after)) {
    compareRecords(before, after, path, levels - 1, script);
    script.keepShorter(mark, path, after);
  } else {
    script.replace(path, after);
  }
}

function compareRecords(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string,
  levels: number,
  script: Script,
): void {
  for (const key of Object.keys(before)) {
    if (before[key] !== undefined && own(after, key) === undefined) {
      script.remove(`${path}/${escapeToken(key)}`);
    }
  }
  for (const key of Object.keys(after)) {
    const value = after[key];
    const previous = own(before, key);
    if (value === previous || value === undefined) continue;
    const place = `${path}/${escapeToken(key)}`;
    if (previous === undefined) script.add(place, value);
    else compare(previous, value, place, levels, script);
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  levels: number,
  script: Script,
): void {
  const same = (i: number, j: number) => equal(before[i], after[j], levels);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && same(start, start)) start++;
  let tail = 0;
  while (tail < shorter - start && same(before.length - 1 - tail, after.length - 1 - tail)) tail++;

  const oldCount = before.length - start - tail;
  const newCount = after.length - start - tail;
  const window = { start, oldCount, newCount };
  const place = (index: number) => `${path}/${start + index}`;
  const turn = rotation(before, after, window, levels);
  if (turn !== 0) {
    const ends = [place(0), place(oldCount - 1)] as const;
    if (turn > 0) script.move(ends[0], ends[1]);
    else script.move(ends[1], ends[0]);
    return;
  }
  const alignment = align(before, after, window, levels);
  const { sources, states, survives } = alignment;
  const moves = planMoves(alignment);
  if (moves === undefined) {
    script.replace(path, after);
    return;
  }
  // Every index is one of the list as the operations before have left it.
  for (let i = oldCount - 1; i >= 0; i--) if (!survives[i]) script.remove(place(i));
  for (const { from, to } of moves) script.move(place(from), place(to));
  for (let j = 0; j < newCount; j++) if (states[j] === ADDED) script.add(place(j), after[start + j]);
  for (let j = 0; j < newCount; j++) {
    if (states[j] !== CHANGED) continue;
    compare(before[start + at(sources, j)], after[start + j], place(j), levels, script);
  }
}
