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

  it("reads a plain list of versions in any order", () => {
    expect([...versionsIn([7, 9, 8])]).toEqual([7, 9, 8]);
    expect([countVersions([7, 9, 8]), earliestVersion([9, 7, 8]), hasVersion([7, 9, 8], 8)]).toEqual([3, 7, true]);
  });
});
