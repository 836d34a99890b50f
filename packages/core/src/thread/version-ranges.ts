// Versions of a thread, stored as ranges: what an undo took back is many versions and few ranges.
//
//   1, 2, 3, 7, 9, 10        <->   [[1, 3], 7, [9, 10]]
//   1, 3, 5 ... 39,999       <->   [[1, "llll..."]]       five versions a digit, lowest first
//
// Invariants:
// - What is made here is as short as one of the two allows: in bits when ranges take more.
// - Ranges that are made here are ascending, without overlap, and as few as possible.
// - Whatever reads them takes a plain list of versions in any order as well: older logs hold such.

/**
 * A single version, the first and the last of several that follow each other, or the first of many
 * and which of those from it on are meant: a digit of base 32 for five versions.
 */
export type VersionRange = number | readonly [first: number, last: number] | readonly [first: number, bits: string];

/** Versions of a thread, such as `[[1, 3], 7]` for 1, 2, 3 and 7. */
export type VersionRanges = readonly VersionRange[];

/** A list of ranges that is shorter stays as it is, so that people can read it in a log. */
const SHORT = 1_000;
const DIGIT = 5;

export function toVersionRanges(versions: Iterable<number>): VersionRanges {
  const ranges: (number | readonly [number, number])[] = [];
  const ascending = [...new Set(versions)].sort((left, right) => left - right);
  for (const version of ascending) {
    const previous = ranges.at(-1);
    const [first, last] = typeof previous === "object" ? previous : [previous, previous];
    if (first !== undefined && last === version - 1) ranges[ranges.length - 1] = [first, version];
    else ranges.push(version);
  }
  const [first = 0] = ascending;
  const length = JSON.stringify(ranges).length;
  const digits = Math.ceil(((ascending.at(-1) ?? 0) - first + 1) / DIGIT);
  return length > SHORT && length > digits ? [[first, bitsOf(ascending, first, digits)]] : ranges;
}

function bitsOf(versions: readonly number[], first: number, digits: number): string {
  const values = new Uint8Array(digits);
  for (const version of versions) values[Math.floor((version - first) / DIGIT)]! |= 1 << ((version - first) % DIGIT);
  return Array.from(values, (value) => value.toString(32)).join("");
}

/**
 * Every version of the ranges, one by one.
 *
 * @example
 *   [...versionsIn([[1, 3], 7])]; // [1, 2, 3, 7]
 */
export function* versionsIn(ranges: VersionRanges): Generator<number, void, undefined> {
  for (const range of ranges) {
    const [first, end] = typeof range === "number" ? [range, range] : range;
    const bits = typeof end === "string" ? end : undefined;
    const last = typeof end === "number" ? end : first + end.length * DIGIT - 1;
    for (let at = first; at <= last; at += 1) if (bits === undefined || hasBit(bits, at - first)) yield at;
  }
}

function hasBit(bits: string, at: number): boolean {
  return ((Number.parseInt(bits.charAt(Math.floor(at / DIGIT)), 32) >> (at % DIGIT)) & 1) === 1;
}

/** How many versions the ranges hold. */
export function countVersions(ranges: VersionRanges): number {
  return [...versionsIn(ranges)].length;
}

/** Whether a version is among them. */
export function hasVersion(ranges: VersionRanges, version: number): boolean {
  for (const at of versionsIn(ranges)) if (at === version) return true;
  return false;
}

/** The earliest of them; Infinity where there is none. */
export function earliestVersion(ranges: VersionRanges): number {
  let earliest = Infinity;
  for (const at of versionsIn(ranges)) earliest = Math.min(earliest, at);
  return earliest;
}
