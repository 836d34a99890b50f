// Commits as the memory log keeps them, and which of them a read selects. It has no index: what is
// in memory is small.

import type { Commit } from "../../commit.ts";
import type { ReadRange } from "../log.ts";
import { authorOf } from "../../origin.ts";
import { actorKey } from "../receipt-key.ts";

/** A commit's text, and what it is found by: its author's actor and run, and its type. */
export interface StoredCommit {
  readonly version: number;
  readonly text: string;
  readonly actor: string;
  readonly runId: string | undefined;
  readonly type: string;
}

export function storedCommit(commit: Commit): StoredCommit {
  const { actor, runId } = authorOf(commit);
  return {
    version: commit.version,
    text: JSON.stringify(commit),
    actor: actorKey(actor),
    runId,
    type: commit.operation.type,
  };
}

/** `commits` are those after the floor, ascending and without a gap. */
export function findCommits(
  { floor, commits }: { readonly floor: number; readonly commits: readonly StoredCommit[] },
  range: ReadRange,
): readonly StoredCommit[] {
  const { after = 0, before = Infinity, limit = Infinity, order = "ascending", runId, actor, types } = range;
  const between = commits.slice(Math.max(0, after - floor), Math.max(0, before - 1 - floor));
  const by = actor === undefined ? undefined : actorKey(actor);
  const matching =
    runId === undefined && by === undefined && types === undefined
      ? between
      : between.filter(
          (commit) =>
            (runId === undefined || commit.runId === runId) &&
            (by === undefined || commit.actor === by) &&
            (types === undefined || types.includes(commit.type)),
        );
  return (order === "ascending" ? matching : matching.toReversed()).slice(0, limit);
}
