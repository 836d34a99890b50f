// Versions of a thread, stored as ranges: what an undo took back is many versions and few ranges.
//
//   1, 2, 3, 7, 9, 10        <->   [[1, 3], 7, [9, 10]]
//   1, 3, 5 ... 39,999       <->   [[1, "llll..."]]       five versions a digit, lowest first
//
// Invariants:
// - Long lists are in bits where ranges would take more text. The first version of bits is meant.
// - Ranges that are made here are ascending, without overlap, and as few as possible.
// - Whatever reads them takes a plain list of versions in any order as well: older logs hold such.

/**
 * A single version, the first and the last of several that follow each other, or the first of many
 * and which of those from it on are meant: a digit of base 32 for five versions.
 */
export type VersionRange = number | readonly [first: number, last: number] | readonly [first: number, bits: string];

/** Versions of a thread, such as `[[1, 3], 7]` for 1, 2, 3 and 7. */
export type VersionRanges = readonly VersionRange[];

/** Characters of a list of ranges that stays as it is, so that people can read it in a log. */
const SHORT = 1_000;
/** Versions in a digit of bits. */
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
  for (const range of ranges) for (let at = firstOf(range); at <= lastOf(range); at += 1) if (isIn(range, at)) yield at;
}

/** How many versions the ranges hold. */
export function countVersions(ranges: VersionRanges): number {
  return [...versionsIn(ranges)].length;
}

/** Whether a version is among them. */
export function hasVersion(ranges: VersionRanges, version: number): boolean {
  return ranges.some((range) => isIn(range, version));
}

/** The earliest of them; Infinity where there is none. */
export function earliestVersion(ranges: VersionRanges): number {
  return ranges.reduce<number>((earliest, range) => Math.min(earliest, firstOf(range)), Infinity);
}

function firstOf(range: VersionRange): number {
  return typeof range === "number" ? range : range[0];
}

/** The last one that it may have. */
function lastOf(range: VersionRange): number {
  if (typeof range === "number") return range;
  const [first, end] = range;
  return typeof end === "number" ? end : first + end.length * DIGIT - 1;
}

function isIn(range: VersionRange, version: number): boolean {
  if (version < firstOf(range) || version > lastOf(range)) return false;
  if (typeof range === "number" || typeof range[1] === "number") return true;
  const at = version - range[0];
  return ((Number.parseInt(range[1].charAt(Math.floor(at / DIGIT)), 32) >> (at % DIGIT)) & 1) === 1;
}
