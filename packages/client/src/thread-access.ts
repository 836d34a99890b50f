// What one participant can do with a thread besides reading and editing its state: history, undo,
// proposals, branches. Over HTTP each call is a request; in process it is one of the thread.

import type {
  AcceptedOperationOf,
  AnyDefinition,
  HistoryEntry,
  Proposal,
  Snapshot,
  StateOf,
  UpdateOf,
  Verdict,
} from "@opstate/core";
import type { ThreadInfo } from "@opstate/core/log";
import type {
  BranchChange,
  DispatchOptions,
  Explanation,
  HistoryRange,
  Merged,
  OnDependent,
  ProposalStatus,
  UndoTarget,
} from "@opstate/core/thread";

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
  /** What became of a proposal; undefined when the log knows none. */
  proposal(
    id: string,
    options?: { readonly proposedAt?: number },
  ): Promise<ProposalStatus<AcceptedOperationOf<D>> | undefined>;
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
