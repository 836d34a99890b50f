// The versions that an undo names, for the sentences about it. It accepts any value, because a
// refused operation can be anything.

import { countVersions, type VersionRange, type VersionRanges, versionsIn } from "@opstate/core/log";

const LISTED = 4;

/** "version 7", "versions 3, 4 and 5", "5 versions, 3 to 9" */
export function undoneText(versions: unknown): string {
  const ranges = rangesOf(versions);
  const count = countVersions(ranges);
  if (count > LISTED) return `${count} versions, ${[ranges[0]].flat()[0]} to ${[ranges.at(-1)].flat().at(-1)}`;
  const all = [...versionsIn(ranges)];
  return all.length < 2 ? `version ${all[0] ?? "?"}` : `versions ${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

function rangesOf(versions: unknown): VersionRanges {
  return Array.isArray(versions) ? versions.filter(isRange) : [];
}

function isRange(value: unknown): value is VersionRange {
  if (!Array.isArray(value)) return Number.isSafeInteger(value);
  return value.length === 2 && value.every((end) => Number.isSafeInteger(end)) && value[0] <= value[1];
}
