// How much an entry takes in an append, and whether entries fit into one.
//
// Invariant: the estimate is never below the true size, so what fits by it fits.

import type { AppendLimits } from "./adapter.ts";
import type { Entry } from "./stored.ts";

/** Bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // Half of a surrogate pair counts two: the pair has four.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** Bytes of an entry's JSON text in UTF-8: what `AppendLimits` counts. */
export function entryBytes(entry: Entry): number {
  return utf8Bytes(JSON.stringify(entry));
}

/**
 * A quick estimate, perhaps too high, where it is not above `most`; else an entry's exact bytes.
 */
export function boundedBytes(entry: Entry, most: number): number {
  const estimate = estimateBytes(entry);
  return estimate <= most ? estimate : entryBytes(entry);
}

/** Whether one append takes the entries. */
export function fitsAppend(entries: readonly Entry[], { entries: most, bytes }: AppendLimits): boolean {
  if (entries.length > most) return false;
  if (bytes === Infinity) return true;
  const estimate = entries.reduce((sum, entry) => sum + estimateBytes(entry), 0);
  return estimate <= bytes || entries.reduce((sum, entry) => sum + entryBytes(entry), 0) <= bytes;
}

/** The longest text of a number, and what stands around a value. */
const NUMBER = 25;
const AROUND = 4;
/** A code unit may be written as \u0000. */
const UNIT = 6;

/** Without making the text: 1 us for a small commit. */
function estimateBytes(value: unknown): number {
  if (typeof value === "string") return value.length * UNIT + AROUND;
  if (typeof value !== "object" || value === null) return NUMBER;
  let bytes = AROUND;
  if (Array.isArray(value)) {
    for (const item of value) bytes += estimateBytes(item) + 1;
    return bytes;
  }
  for (const [key, item] of Object.entries(value)) bytes += key.length * UNIT + AROUND + estimateBytes(item);
  return bytes;
}
