// The authority of a client for threads of this process.

import { type Actor, OpstateError, type Thread } from "@opstate/core";
import type { Right } from "@opstate/core/thread";
import type { Authority } from "./authority.ts";
import { type FindThread, threadsCarrier } from "./threads-carrier.ts";

export interface ThreadsAuthorityOptions {
  readonly threads: readonly Thread[] | FindThread;
  readonly actor: Actor;
  readonly allows?: (right: Right, threadId: string) => boolean;
}

export function threadsAuthority({ threads, actor, allows }: ThreadsAuthorityOptions): Authority {
  const find: FindThread = typeof threads === "function" ? threads : (threadId) => findIn(threads, threadId);
  return {
    actor,
    carrier: threadsCarrier(find, actor),
    async access(threadId) {
      const thread = await find(threadId);
      if (thread === undefined) throw new OpstateError("invalid_id", `There is no thread "${threadId}" here.`);
      const { accessThread } = await import("./access-thread.ts");
      return accessThread(thread, actor, allows && ((right) => allows(right, threadId)));
    },
  };
}

/** A thread of the list, or a branch of one. */
function findIn(threads: readonly Thread[], threadId: string): Thread | undefined | Promise<Thread | undefined> {
  return threads.find((thread) => thread.threadId === threadId) ?? findBranch(threads, threadId);
}

async function findBranch(threads: readonly Thread[], threadId: string): Promise<Thread | undefined> {
  for (const thread of threads) {
    // A branch has no branches.
    const branch = thread.parent === undefined ? await thread.openBranch(threadId) : undefined;
    if (branch !== undefined) return branch;
  }
  return undefined;
}
