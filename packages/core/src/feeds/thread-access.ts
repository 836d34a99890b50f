// What one participant can do with a thread besides reading and editing its state: history, undo,
// proposals, branches. `threadClient` has this shape over a network; `accessThread` gives it to a
// thread in the same process.

import type { AnyDefinition, StateOf, UpdateOf, AcceptedOperationOf } from "../definition/definition.ts";
import { defined } from "../defined.ts";
import type { Actor } from "../engine/actor.ts";
import { OpstateError } from "../error.ts";
import type { BranchChange, Explanation, Merged, Proposal } from "../thread/results.ts";
import type { Commit, Refusal, Snapshot, Verdict } from "../thread/commit.ts";
import type { ThreadInfo } from "../thread/log/log.ts";
import type { Branch, Thread } from "../thread/thread.ts";
import type { DispatchOptions, HistoryRange, OnDependent, UndoTarget } from "../thread/options.ts";
import type { Right } from "../thread/rights.ts";
import type { HistoryEntry } from "../thread/entries.ts";

/** Options of a call. Without `id`, one is made. */
export type AccessOptions = Omit<DispatchOptions, "actor">;
/** `onDependent`: see `UndoOptions`. */
export type UndoAccessOptions = AccessOptions & { readonly onDependent?: OnDependent };
export type DecideAccessOptions = AccessOptions & { readonly proposedAt?: number };
/** `anyway`: approve although the values that the proposal changes are no longer the shown ones. */
export type ApproveAccessOptions = DecideAccessOptions & { readonly anyway?: boolean };

type VerdictOf<D> = Promise<Verdict<AcceptedOperationOf<D>>>;

/** A thread as one participant uses it. The participant is fixed. */
export interface ThreadAccess<D extends AnyDefinition = AnyDefinition> {
  history(range?: HistoryRange): Promise<readonly HistoryEntry<AcceptedOperationOf<D>>[]>;
  stateAt(version: number): Promise<Snapshot<StateOf<D>>>;
  explain(pointer: string): Promise<Explanation<AcceptedOperationOf<D>> | undefined>;
  undo(target: UndoTarget, options?: UndoAccessOptions): VerdictOf<D>;
  /** Restores what an undo removed. `id` is the id of that undo. */
  redo(id: string, options?: UndoAccessOptions): VerdictOf<D>;
  proposals(): Promise<readonly Proposal<AcceptedOperationOf<D>>[]>;
  propose(update: UpdateOf<D>, options?: AccessOptions & { readonly expiresAt?: string }): VerdictOf<D>;
  approve(proposal: string, options?: ApproveAccessOptions): VerdictOf<D>;
  decline(proposal: string, options?: DecideAccessOptions & { readonly reason?: string }): VerdictOf<D>;
  branches(): Promise<readonly ThreadInfo[]>;
  /**
   * Creates a branch at a version, by default the newest. With the `name` of an existing branch of
   * the same version, it returns that branch.
   */
  branch(options?: { readonly version?: number; readonly name?: string }): Promise<BranchAccess<D>>;
  openBranch(threadId: string): BranchAccess<D>;
}

/** A branch as one participant uses it. */
export interface BranchAccess<D extends AnyDefinition = AnyDefinition> {
  readonly threadId: string;
  diff(): Promise<readonly BranchChange<AcceptedOperationOf<D>>[]>;
  merge(options?: { readonly ids?: readonly string[] }): Promise<readonly Merged<AcceptedOperationOf<D>>[]>;
  discard(): Promise<void>;
}

/** A participant's access with subscriptions to commits and refusals. */
export interface LocalAccess<D extends AnyDefinition = AnyDefinition> extends ThreadAccess<D> {
  readonly actor: Actor;
  onCommit(listener: (commit: Commit<AcceptedOperationOf<D>>) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
}

/**
 * A thread in this process as one actor uses it, as `threadClient` is over HTTP. `allows` says
 * which rights the actor has beyond its own work. Default: the rights that the thread gives to the
 * actor's kind.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { accessThread } from "@opstate/core/feeds";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const ada = { kind: "user", id: "ada" };
 * await thread.dispatch(counter.op.add({ by: 1 }), { id: "a", actor: ada });
 * const access = accessThread(thread, ada);
 * (await access.undo({ ids: ["a"] })).accepted; // true
 * thread.getState(); // { count: 0 }
 * ```
 */
export function accessThread<D extends AnyDefinition>(
  thread: Thread<D>,
  actor: Actor,
  allows?: (right: Right) => boolean,
): LocalAccess<D> {
  const rights = { actor, ...defined({ allows }) };

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
      merge: async (options = {}) => (await requireBranch(threadId)).merge({ ...options, ...rights }),
      discard: async () => (await requireBranch(threadId)).discard(),
    };
  }

  return {
    actor,
    history: (range) => thread.history(range),
    stateAt: async (version) => ({ version, state: await thread.stateAt(version) }),
    explain: (pointer) => thread.explain(pointer),
    undo: (target, options) => thread.undo(target, { ...options, ...rights }),
    redo: (id, options) => thread.undo({ ids: [id] }, { ...options, ...rights }),
    proposals: () => thread.proposals(),
    propose: (update, options) => thread.propose(update, { ...options, actor }),
    approve: (proposal, options) => thread.approve(proposal, { ...options, ...rights }),
    decline: (proposal, options) => thread.decline(proposal, { ...options, ...rights }),
    branches: () => thread.branches(),
    async branch({ version, name } = {}) {
      const { threadId } = await thread.branch(version, name === undefined ? {} : { id: `${thread.threadId}~${name}` });
      return openBranch(threadId);
    },
    openBranch,
    onCommit: (listener) => thread.onCommit(listener),
    onRejection: (listener) => thread.onRejection(listener),
  };
}
