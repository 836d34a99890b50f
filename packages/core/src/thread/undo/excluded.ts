// The set of excluded commits, as the log holds it: undo entries that name versions, each in force
// unless a later one names it in turn.

import type { Commit } from "../commit.ts";

/** The operation of an undo's commit. To undo such a commit is to redo what it took back. */
export interface UndoOperation {
  readonly type: "$undo";
  /**
   * The ids of the submissions that were to be taken back, and of those that went with them because
   * they no longer held.
   */
  readonly ids: readonly string[];
  readonly dropped?: readonly string[];
  /** The versions of both: ids are an actor's own, versions are the thread's. */
  readonly versions: readonly number[];
}

export function isUndo(operation: { readonly type: string }): operation is UndoOperation {
  return operation.type === "$undo";
}

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
