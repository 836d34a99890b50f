// Which changes of a branch are in its parent: merged, and not taken back there since.

import type { Commit } from "../commit.ts";
import { mergeId, OPSTATE } from "../entries.ts";
import type { Log } from "../log/log.ts";
import { readBetween } from "../log/scan.ts";
import { excluded } from "../undo/excluded.ts";

/** One change on the parent. */
export interface MergeState {
  /** The id that merging it has: a new one when the merge before was taken back. */
  readonly id: string;
  /** The parent's version at which it was merged; undefined when it is not in it. */
  readonly merged: number | undefined;
}

/** `version`: the parent's. */
export async function mergeStates(
  log: Log,
  threadId: string,
  version: number,
  branchIncarnation: string,
  changes: readonly Pick<Commit, "version">[],
): Promise<readonly MergeState[]> {
  let commits: readonly Commit[] | undefined;
  let takenBack: ReadonlySet<number> = new Set();

  /** Whether the merge of this id and version was taken back. */
  async function isTakenBack(id: string, at: number): Promise<boolean> {
    if (commits === undefined || (commits[0]?.version ?? version + 1) > at) {
      commits = await readBetween(log, threadId, at - 1, version);
      takenBack = excluded(commits);
    }
    return takenBack.has(at) && commits.some((commit) => commit.version === at && commit.id === id);
  }

  const states: MergeState[] = [];
  for (const change of changes) {
    let id = mergeId(branchIncarnation, change.version);
    let state: MergeState | undefined;
    // Of several merges of one change, the newest that was not taken back counts.
    for (;;) {
      const receipt = await log.receipt(threadId, OPSTATE, id);
      if (receipt?.outcome.accepted !== true) break;
      const merged = receipt.outcome.version;
      const takenBackNow = await isTakenBack(id, merged);
      if (!takenBackNow) state = { id, merged };
      id = mergeId(branchIncarnation, change.version, merged);
    }
    states.push(state ?? { id, merged: undefined });
  }
  return states;
}
