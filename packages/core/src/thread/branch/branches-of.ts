// Which threads of a log are branches of a thread.

import type { Log, ThreadInfo } from "../log/log.ts";

/** A thread of an earlier incarnation is another thread. */
export type BranchParent = Pick<ThreadInfo, "threadId" | "incarnation">;

export function isBranchOf(info: ThreadInfo | undefined, parent: BranchParent): info is ThreadInfo {
  return info?.parent?.threadId === parent.threadId && info.parent.incarnation === parent.incarnation;
}

/** Oldest first. */
export async function branchesOf(log: Log, parent: BranchParent): Promise<readonly ThreadInfo[]> {
  const all = await log.list({ parent: parent.threadId });
  return all
    .filter((info) => isBranchOf(info, parent))
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
}

/** The version that the oldest branch began with; Infinity when there is none. */
export async function oldestFork(log: Log, parent: BranchParent): Promise<number> {
  const forks = (await branchesOf(log, parent)).map((info) => info.parent?.version ?? 0);
  return Math.min(Infinity, ...forks);
}
