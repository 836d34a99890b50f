// Threads and their branches, as the log has them now: which thread owns the rights on a branch,
// and which branches are orphans.
//
// Invariants:
// - A branch is attached while the log has its parent in the incarnation that the branch was made
//   from, and that parent is attached itself.
// - Any other branch is an orphan. It has no owner, whichever thread has the parent's name now.
// - A branch is read before its parent. Incarnations never come back, so a parent of another
//   incarnation means that the branch's own parent is gone.

import type { Log } from "@opstate/core";
import type { ThreadInfo, ThreadParent } from "@opstate/core/log";

type TreeNode = Pick<ThreadInfo, "threadId" | "incarnation"> & { readonly parent?: ThreadParent | undefined };

/** The id of the thread at the root, or of the thread itself; undefined for an orphan. */
export async function rootOf(log: Pick<Log, "info">, thread: TreeNode): Promise<string | undefined> {
  const visited = new Set<string>();
  let node = thread;
  while (node.parent) {
    visited.add(node.incarnation);
    const parent = await log.info(node.parent.threadId);
    // A branch that was stored without its parent's incarnation is an orphan too.
    if (parent?.incarnation !== node.parent.incarnation || visited.has(parent.incarnation)) return undefined;
    node = parent;
  }
  return node.threadId;
}

/** The branches whose parent had this id and is gone. */
export async function orphansOf(log: Pick<Log, "info" | "list">, threadId: string): Promise<readonly ThreadInfo[]> {
  const branches = await log.list({ parent: threadId });
  if (branches.length === 0) return branches;
  const present = (await log.info(threadId))?.incarnation;
  return branches.filter(({ parent }) => parent?.incarnation !== present);
}
