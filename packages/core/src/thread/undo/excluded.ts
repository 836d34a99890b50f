// The versions that are undone, as the log holds them: undo entries name versions, and each is
// in force unless a later one names it in turn.

import type { Commit } from "../commit.ts";
import { isUndo } from "../entries.ts";
import { versionsIn } from "../version-ranges.ts";

/**
 * The versions that are undone at the end of a stretch of the log (ascending), if one more
 * entry named `also`.
 */
export function excluded(commits: readonly Commit[], also: Iterable<number> = []): ReadonlySet<number> {
  const out = new Set(also);
  for (const { version, operation } of commits.toReversed()) {
    // Newest first: whether an entry is in force is known when its turn comes.
    if (!out.has(version) && isUndo(operation)) for (const at of versionsIn(operation.versions)) out.add(at);
  }
  return out;
}
