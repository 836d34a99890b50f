// The calls of a thread in this process, for one participant.

import { type Actor, type AnyDefinition, type Branch, defined, OpstateError, type Thread } from "@opstate/core";
import type { Right } from "@opstate/core/thread";
import type { BranchAccess, ThreadAccess } from "../thread-access.ts";

/**
 * A thread in this process as one actor uses it. `allows` says which rights the actor has beyond
 * their own work. Default: the rights that the thread gives to the actor's kind.
 */
export function accessThread<D extends AnyDefinition>(
  thread: Thread<D>,
  actor: Actor,
  allows?: (right: Right) => boolean,
): ThreadAccess<D> {
  /** The options with the actor, and with the present time where the caller gives none. */
  const made = <Options extends object>(options?: Options) => ({
    madeAt: Date.now(),
    ...(options as Options),
    actor,
    ...defined({ allows }),
  });

  async function requireBranch(id: string): Promise<Branch<D>> {
    const branch = await thread.openBranch(id);
    if (branch === undefined)
      throw new OpstateError("invalid_branch", `Thread "${thread.threadId}" has no branch "${id}".`);
    return branch;
  }

  function openBranch(threadId: string): BranchAccess<D> {
    return {
      threadId,
      diff: async () => (await requireBranch(threadId)).diff(),
      merge: async (options) => (await requireBranch(threadId)).merge(made(options)),
      discard: async () => (await requireBranch(threadId)).discard(),
    };
  }

  return {
    history: thread.history,
    stateAt: async (version) => ({ version, state: await thread.stateAt(version) }),
    explain: thread.explain,
    undo: (target, options) => thread.undo(target, made(options)),
    redo: (id, options) => thread.undo({ ids: [id] }, made(options)),
    proposals: thread.proposals,
    proposal: thread.proposal,
    propose: (update, options) => thread.propose(update, made(options)),
    approve: (proposal, options) => thread.approve(proposal, made(options)),
    decline: (proposal, options) => thread.decline(proposal, made(options)),
    branches: thread.branches,
    async branch({ version, name } = {}) {
      const { threadId } = await thread.branch(version, name === undefined ? {} : { id: `${thread.threadId}~${name}` });
      return openBranch(threadId);
    },
    openBranch,
  };
}
