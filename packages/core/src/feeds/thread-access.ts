// What one participant may ask of a thread beside its state: the past, taking back, proposals,
// branches. A client over a network has this shape, and so has a thread in the same process once it
// is said who asks.

import type { AnyDefinition, OperationOf, StateOf, AcceptedOperation, UpdateOf } from "../definition/definition.ts";
import type { Actor } from "../engine/actor.ts";
import { OpstateError } from "../error.ts";
import type { BranchChange, Explanation, Merged, Proposal } from "../thread/results.ts";
import type { Commit, Refusal, Snapshot, Verdict } from "../thread/commit.ts";
import type { ThreadInfo } from "../thread/log/log.ts";
import type { Branch, Thread } from "../thread/thread.ts";
import type { DispatchOptions, HistoryRange, Right, UndoTarget } from "../thread/options.ts";
import type { HistoryEntry } from "../thread/entries.ts";

/** What may go along with a call: without `id` one is minted. */
export type AccessOptions = Omit<DispatchOptions, "actor">;
export type UndoAccessOptions = AccessOptions & { readonly onDependent?: "refuse" | "drop" };
export type DecideAccessOptions = AccessOptions & { readonly proposedAt?: number };
/** `anyway`: although what it changes is not any more as it was shown. */
export type ApproveAccessOptions = DecideAccessOptions & { readonly anyway?: boolean };

type Judged<D> = Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;

/** A thread as one participant may use it; who that is, is settled already. */
export interface ThreadAccess<D extends AnyDefinition = AnyDefinition> {
  history(range?: HistoryRange): Promise<readonly HistoryEntry<AcceptedOperation<OperationOf<D>>>[]>;
  stateAt(version: number): Promise<Snapshot<StateOf<D>>>;
  explain(pointer: string): Promise<Explanation<AcceptedOperation<OperationOf<D>>> | undefined>;
  undo(target: UndoTarget, options?: UndoAccessOptions): Judged<D>;
  /** Brings back what an undo took: `id` is that undo's. */
  redo(id: string, options?: UndoAccessOptions): Judged<D>;
  proposals(): Promise<readonly Proposal<AcceptedOperation<OperationOf<D>>>[]>;
  propose(update: UpdateOf<D>, options?: AccessOptions & { readonly expiresAt?: string }): Judged<D>;
  approve(proposal: string, options?: ApproveAccessOptions): Judged<D>;
  decline(proposal: string, options?: DecideAccessOptions & { readonly reason?: string }): Judged<D>;
  branches(): Promise<readonly ThreadInfo[]>;
  /**
   * Makes a branch at a version (default: the newest); with the `name` of one that there is, of the
   * same version, it gives that one.
   */
  branch(options?: { readonly version?: number; readonly name?: string }): Promise<BranchAccess<D>>;
  openBranch(threadId: string): BranchAccess<D>;
}

/** A branch as one participant may use it. */
export interface BranchAccess<D extends AnyDefinition = AnyDefinition> {
  readonly threadId: string;
  diff(): Promise<readonly BranchChange<AcceptedOperation<OperationOf<D>>>[]>;
  merge(options?: { readonly ids?: readonly string[] }): Promise<readonly Merged<AcceptedOperation<OperationOf<D>>>[]>;
  discard(): Promise<void>;
}

/** A participant's access that can also be listened to. */
export interface LocalAccess<D extends AnyDefinition = AnyDefinition> extends ThreadAccess<D> {
  readonly actor: Actor;
  onCommit(listener: (commit: Commit<AcceptedOperation<OperationOf<D>>>) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
}

/**
 * A thread in this process as one actor may use it: what `threadClient` is over HTTP. `allows` says
 * which rights the actor has beyond its own work; default: those that the thread gives by the
 * actor's kind.
 *
 * @example
 * ```ts
 * import { accessThread, defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
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
  const rights = { actor, ...(allows && { allows }) };

  async function mustOpen(id: string): Promise<Branch<D>> {
    const branch = await thread.openBranch(id);
    if (branch === undefined)
      throw new OpstateError("invalid_branch", `Thread "${thread.threadId}" has no branch "${id}".`);
    return branch;
  }

  function openBranch(threadId: string): BranchAccess<D> {
    return {
      threadId,
      diff: async () => (await mustOpen(threadId)).diff(),
      merge: async (options = {}) => (await mustOpen(threadId)).merge({ ...options, ...rights }),
      discard: async () => (await mustOpen(threadId)).discard(),
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
