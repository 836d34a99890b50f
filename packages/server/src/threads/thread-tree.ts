// Threads and their branches, as the log has them now: under whose rights a branch stands, and
// which branches have lost their parent.
//
// Invariants: a branch stands while its parent is there in the incarnation that it was made from,
// and stands itself. One that does not is nobody's, whoever has the parent's name now. A branch is
// always read before its parent: an incarnation does not come back, so another one there means that
// the branch's own is gone.

import type { Log } from "@opstate/core";
import type { ThreadInfo, ThreadParent } from "@opstate/core/log";

type Standing = Pick<ThreadInfo, "threadId" | "incarnation"> & { readonly parent?: ThreadParent | undefined };

/**
 * The thread at the root of a branch, or the thread itself; undefined when the branch has lost its
 * parent.
 */
export async function rootOf(log: Pick<Log, "info">, thread: Standing): Promise<string | undefined> {
  const passed = new Set<string>();
  let at = thread;
  while (at.parent) {
    passed.add(at.incarnation);
    const above = await log.info(at.parent.threadId);
    // What was stored without its parent's incarnation has lost it too.
    if (above?.incarnation !== at.parent.incarnation || passed.has(above.incarnation)) return undefined;
    at = above;
  }
  return at.threadId;
}

/**
 * Of the branches that name this thread as their parent: those of no present thread, and those of
 * the incarnation that is to go.
 */
export async function branchesToGo(
  log: Pick<Log, "info" | "list">,
  threadId: string,
  going?: string,
): Promise<readonly ThreadInfo[]> {
  const branches = await log.list({ parent: threadId });
  if (branches.length === 0) return branches;
  const present = (await log.info(threadId))?.incarnation;
  return branches.filter(({ parent }) => parent?.incarnation === going || parent?.incarnation !== present);
}
