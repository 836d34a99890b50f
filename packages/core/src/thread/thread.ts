// A thread: one shared state with its log, and the authority over its order.

import type { Actor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { OpstateError } from "../error.ts";
import type { Readable } from "../readable.ts";
import type { AcceptedOperationOf, AnyDefinition, StateOf, UpdateOf } from "../definition/definition.ts";
import type { Commit, Refusal, Verdict } from "./commit.ts";
import type { HistoryEntry } from "./entries.ts";
import type { ThreadInfo, ThreadParent } from "./log/log.ts";
import type {
  ApproveOptions,
  CompactRange,
  DecideOptions,
  DispatchOptions,
  HistoryRange,
  MergeOptions,
  ProposeOptions,
  UndoOptions,
  UndoTarget,
} from "./options.ts";
import type { BranchChange, Explanation, Merged, Proposal, ProposalStatus } from "./results.ts";

/** The authority of one shared state. `getState` is the newest confirmed state. */
export interface Thread<D extends AnyDefinition = AnyDefinition> extends Readable<StateOf<D>> {
  readonly threadId: string;
  readonly definition: D;
  /**
   * Which of the threads that had this name in the log it is: deleted and created again, it is
   * another one.
   */
  readonly incarnation: string;
  readonly version: number;
  /** The versions 1 to `floor` are gone from the history by compaction; 0 when none are. */
  readonly floor: number;
  /** Of a branch: the thread and version it began at. */
  readonly parent: ThreadParent | undefined;
  /**
   * Submits an update; resolves when its verdict is durable. Submissions are taken in call order.
   */
  dispatch(update: UpdateOf<D> | AnyOperation, options: DispatchOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * Commits in their order, all or a part; with `rejections`, the newest refusals among them by
   * time. A page that ends with a commit may be followed by another one, `after` that commit's
   * version (`before` it, when newest come first); any other page is the last.
   */
  history(range?: HistoryRange): Promise<readonly HistoryEntry<AcceptedOperationOf<D>>[]>;
  /**
   * The state of a version. Throws a RangeError when there is no such version, an OpstateError
   * (`compacted`) when it lies below the floor.
   */
  stateAt(version: number): Promise<StateOf<D>>;
  /**
   * Who wrote what stands at a JSON Pointer: the commit that last touched it, or anything in it. An
   * item is followed through its list, and what is inside it into another list as well, unless a
   * list was replaced as a whole on the way. Undefined when it stands as the thread began, or when
   * compaction took the commit. Throws an OpstateError (`invalid_pointer`).
   */
  explain(pointer: string): Promise<Explanation<AcceptedOperationOf<D>> | undefined>;
  /**
   * Takes back some commits and keeps the rest: the state becomes what it would be had they not
   * been. A run or an actor means what it is the author of, approved and merged by whomever;
   * whether it may be taken back depends on who did, approved or merged each of them. Later
   * operations that need them make it a `conflict` that names them; with `onDependent: "drop"` they
   * are left out too, and the commit's operation names them. It is one submission and one commit
   * (`{ type: "$undo", ids, dropped?, versions }`); to redo, undo that commit's id.
   */
  undo(target: UndoTarget, options: UndoOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * What others than `for` did after version `since`, human edits first, in sentences within
   * `budget` tokens (about 4 characters each). Empty when nothing.
   */
  digest(options: { readonly since: number; readonly for: Actor; readonly budget?: number }): Promise<string>;
  /**
   * Puts an operation before others instead of doing it: a commit without patches, `{ type:
   * "$propose", operation, basedOn, previous }`, whose id is the proposal's. The proposer must be
   * allowed to use the operation; that it needs approval is no obstacle.
   */
  propose(update: UpdateOf<D> | AnyOperation, options: ProposeOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * The proposals that wait for a decision, oldest first: neither decided nor taken back nor
   * expired.
   */
  proposals(): Promise<readonly Proposal<AcceptedOperationOf<D>>[]>;
  /**
   * What became of a proposal: open, expired, or decided by whom, how and at which version. Where
   * several actors proposed under one id, `proposedAt` (the version of the proposal's commit) says
   * which is meant. Undefined when the log knows no such proposal: there was none, or compaction
   * took its decision.
   *
   * @example
   * ```ts
   * import { defineState, memoryLog, openThread } from "@opstate/core";
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
   * await thread.propose(counter.op.add({ by: 2 }), { actor: { kind: "agent", id: "planner" }, id: "p" });
   * (await thread.proposal("p"))?.status; // "open"
   * await thread.approve("p", { actor: { kind: "user", id: "ada" } });
   * const found = await thread.proposal("p");
   * found?.status === "decided" && found.how; // "approved"
   * ```
   */
  proposal(
    id: string,
    options?: { readonly proposedAt?: number },
  ): Promise<ProposalStatus<AcceptedOperationOf<D>> | undefined>;
  /**
   * Carries a proposal out as its proposer's. `conflict` when it is decided or expired, or when
   * what it changes is no longer as it was and `anyway` was not said.
   */
  approve(proposal: string, options: ApproveOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /** Ends a proposal: for who may approve, and for its proposer. */
  decline(
    proposal: string,
    options: DecideOptions & { readonly reason?: string },
  ): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * A thread of its own that begins with the state of a version (default: the newest), to be looked
   * at and merged later, or discarded. What is done on it changes nothing here. With the `id` of a
   * branch that there is (of this thread and version) it gives that one. Throws an OpstateError:
   * `invalid_branch` on a branch, or when the id is another thread's.
   */
  branch(version?: number, options?: { readonly id?: string }): Promise<Branch<D>>;
  /** A branch of this thread by its id, also after a restart; undefined when there is none. */
  openBranch(id: string): Promise<Branch<D> | undefined>;
  /** The branches that were not discarded, oldest first. */
  branches(): Promise<readonly ThreadInfo[]>;
  /**
   * Forgets the older history and gives the new floor. The state, and the verdict of every id,
   * stay; undo, explain and digest end at the floor. An open proposal is kept, with all that came
   * after it. Throws a RangeError when the range says no version of this thread, an OpstateError
   * (`invalid_branch`) on a branch.
   */
  compact(range: CompactRange): Promise<number>;
  /**
   * Called after each durable commit, in version order. Returns the function that ends it. A
   * listener that throws stops neither the others nor the thread: its error goes to `onError` of
   * openThread, and without one it is an unhandled rejection, which ends a Node process.
   */
  onCommit(listener: (commit: Commit<AcceptedOperationOf<D>>) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
  /**
   * Called once, when the thread is closed: by `close`, or, with an OpstateError (`replaced`),
   * because it was deleted from its log, whether or not another one was created under its name.
   * Whatever is asked of it then throws.
   */
  onClose(listener: (reason: OpstateError | undefined) => void): () => void;
  close(): Promise<void>;
}

/**
 * A thread beside another one. There `allow` holds and approval waits: what needs it needs it of
 * whoever merges.
 */
export interface Branch<D extends AnyDefinition = AnyDefinition> extends Thread<D> {
  readonly parent: ThreadParent;
  /**
   * What was done here and still counts, operation by operation, and what would become of each on
   * the parent now.
   */
  diff(): Promise<readonly BranchChange<AcceptedOperationOf<D>>[]>;
  /**
   * Does all or chosen changes again on the parent, in their order, each with its own verdict. Both
   * who did it and who merges it must be allowed to use the operation; an operation that needs
   * approval needs somebody else with the right to approve to merge it. A change is merged once,
   * however often and by whomever it is merged; one that was refused may be tried again.
   */
  merge(options: MergeOptions): Promise<readonly Merged<AcceptedOperationOf<D>>[]>;
  /** Deletes the branch. What was merged stays. */
  discard(): Promise<void>;
}
