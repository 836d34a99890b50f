// Which changes of a branch are in its parent: merged, and not undone there since.

import type { Commit } from "../commit.ts";
import { mergeId, OPSTATE } from "../entries.ts";
import type { Log } from "../log/log.ts";
import { readBetween } from "../log/scan.ts";
import type { Pace } from "../pace.ts";
import { excluded } from "../undo/excluded.ts";

/** One change on the parent. */
export interface MergeState {
  /** The id that merging it has: a new one when the merge before was undone. */
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
  pace: Pace,
): Promise<readonly MergeState[]> {
  let commits: readonly Commit[] | undefined;
  let undone: ReadonlySet<number> = new Set();

  /** How the merge of this id and version is in force. A merge without an effect has no commit. */
  async function inForce(id: string, at: number): Promise<"commit" | "receipt" | "no"> {
    if (commits === undefined || (commits[0]?.version ?? version + 1) > at) {
      commits = await readBetween(log, threadId, at - 1, version);
      undone = excluded(commits);
    }
    if (!commits.some((commit) => commit.version === at && commit.id === id)) return "receipt";
    return undone.has(at) ? "no" : "commit";
  }

  const states: MergeState[] = [];
  for (const change of changes) {
    if (pace.isOver) await pace.next();
    let id = mergeId(branchIncarnation, change.version);
    let state: MergeState | undefined;
    // Of several merges of one change, the newest that was not undone counts. A merge that changed
    // nothing, because an earlier one was in force, does not replace that one.
    for (;;) {
      const receipt = await log.receipt(threadId, OPSTATE, id);
      if (receipt?.outcome.accepted !== true) break;
      const merged = receipt.outcome.version;
      const by = await inForce(id, merged);
      if (by === "commit" || (by === "receipt" && state === undefined)) state = { id, merged };
      id = mergeId(branchIncarnation, change.version, merged);
    }
    states.push(state ?? { id, merged: undefined });
  }
  return states;
}
