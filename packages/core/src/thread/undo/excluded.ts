// The set of excluded commits, as the log holds it: undo entries that name versions, each in force
// unless a later one names it in turn.

import type { Commit } from "../commit.ts";
import { isUndo } from "../entries.ts";

/**
 * The versions that are taken back at the end of a stretch of the log (ascending), with one more
 * entry that would name `also`.
 */
export function excluded(commits: readonly Commit[], also: Iterable<number> = []): ReadonlySet<number> {
  const out = new Set(also);
  for (const { version, operation } of commits.toReversed()) {
    // Newest first: whether an entry is in force is known when it is met.
    if (!out.has(version) && isUndo(operation)) for (const at of operation.versions) out.add(at);
  }
  return out;
}
