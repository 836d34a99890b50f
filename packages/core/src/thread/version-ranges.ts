// Versions of a thread, stored as ranges: what an undo took back is many versions and few ranges.
//
//   1, 2, 3, 7, 9, 10   <->   [[1, 3], 7, [9, 10]]
//
// Invariants:
// - Ranges that are made here are ascending, without overlap, and as few as possible.
// - Whatever reads them takes a plain list of versions in any order as well: older logs hold such.

/** A single version, or the first and the last of several that follow each other. */
export type VersionRange = number | readonly [first: number, last: number];

/** Versions of a thread, such as `[[1, 3], 7]` for 1, 2, 3 and 7. */
export type VersionRanges = readonly VersionRange[];

export function toVersionRanges(versions: Iterable<number>): VersionRanges {
  const ranges: VersionRange[] = [];
  const ascending = [...new Set(versions)].sort((left, right) => left - right);
  for (const version of ascending) {
    const previous = ranges.at(-1);
    if (previous !== undefined && lastOf(previous) === version - 1)
      ranges[ranges.length - 1] = [firstOf(previous), version];
    else ranges.push(version);
  }
  return ranges;
}

/**
 * Every version of the ranges, one by one.
 *
 * @example
 *   [...versionsIn([[1, 3], 7])]; // [1, 2, 3, 7]
 */
export function* versionsIn(ranges: VersionRanges): Generator<number, void, undefined> {
  for (const range of ranges) for (let at = firstOf(range); at <= lastOf(range); at += 1) yield at;
}

/** How many versions the ranges hold. */
export function countVersions(ranges: VersionRanges): number {
  return ranges.reduce<number>((count, range) => count + lastOf(range) - firstOf(range) + 1, 0);
}

/** Whether a version is among them. */
export function hasVersion(ranges: VersionRanges, version: number): boolean {
  return ranges.some((range) => firstOf(range) <= version && version <= lastOf(range));
}

/** The earliest of them; Infinity where there is none. */
export function earliestVersion(ranges: VersionRanges): number {
  return ranges.reduce<number>((earliest, range) => Math.min(earliest, firstOf(range)), Infinity);
}

function firstOf(range: VersionRange): number {
  return typeof range === "number" ? range : range[0];
}

function lastOf(range: VersionRange): number {
  return typeof range === "number" ? range : range[1];
}
