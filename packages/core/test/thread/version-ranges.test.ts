import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countVersions,
  earliestVersion,
  hasVersion,
  toVersionRanges,
  versionsIn,
} from "../../src/thread/version-ranges.ts";

const versions = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 });

describe("ranges of versions", () => {
  it("stores what follows each other as its first and last", () => {
    expect(toVersionRanges([10, 1, 2, 9, 3, 7, 2])).toEqual([[1, 3], 7, [9, 10]]);
    expect(toVersionRanges([])).toEqual([]);
  });

  it("contains the same versions as the list that it was made of", () => {
    fc.assert(
      fc.property(versions, (list) => {
        const ranges = toVersionRanges(list);
        const expected = [...new Set(list)].sort((left, right) => left - right);
        expect([...versionsIn(ranges)]).toEqual(expected);
        expect(countVersions(ranges)).toBe(expected.length);
        expect(earliestVersion(ranges)).toBe(Math.min(...expected));
        for (let version = 0; version <= 41; version += 1)
          expect(hasVersion(ranges, version)).toBe(expected.includes(version));
      }),
    );
  });

  it("is as short as the list has gaps", () => {
    fc.assert(
      fc.property(versions, (list) => {
        const starts = new Set(list.filter((version) => !list.includes(version - 1)));
        expect(toVersionRanges(list)).toHaveLength(starts.size);
      }),
    );
  });

  it("stores many with gaps as bits, in less than 32 KB for 20,000", () => {
    const others = Array.from({ length: 20_000 }, (_, at) => 5 + 2 * at);
    const ranges = toVersionRanges(others);
    expect(JSON.stringify(ranges).length).toBeLessThan(10_000);
    expect([...versionsIn(ranges)]).toEqual(others);
    expect([countVersions(ranges), earliestVersion(ranges)]).toEqual([20_000, 5]);
    expect([4, 5, 6, 7, 40_003, 40_004, 40_005].filter((version) => hasVersion(ranges, version))).toEqual([
      5, 7, 40_003,
    ]);
  });

  it("contains the same versions as a long list with any gaps", () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 300, maxLength: 900, size: "max" });
    fc.assert(
      fc.property(gaps, (list) => {
        let at = 0;
        const long = list.map((gap) => (at += gap));
        const ranges = toVersionRanges(long);
        expect([...versionsIn(ranges)]).toEqual(long);
        expect(countVersions(ranges)).toBe(long.length);
        expect(earliestVersion(ranges)).toBe(long[0]);
      }),
    );
  });

  it("reads a plain list of versions in any order", () => {
    expect([...versionsIn([7, 9, 8])]).toEqual([7, 9, 8]);
    expect([countVersions([7, 9, 8]), earliestVersion([9, 7, 8]), hasVersion([7, 9, 8], 8)]).toEqual([3, 7, true]);
  });
});
