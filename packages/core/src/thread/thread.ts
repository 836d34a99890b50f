// A thread: one shared state with its log, and the authority over its order.

import type { Actor } from "../engine/actor.ts";
import type { OpstateError } from "../error.ts";
import type { Readable } from "../readable.ts";
import type { AcceptedOperationOf, AnyDefinition, StateOf, UpdateOf } from "../definition/definition.ts";
import type { AbortSignalLike } from "./pace.ts";
import type { Commit, Refusal, Verdict } from "./commit.ts";
import type { HistoryEntry } from "./entries.ts";
import type { ThreadInfo, ThreadParent } from "./log/log.ts";
import type {
  ApproveOptions,
  CompactRange,
  DecideOptions,
  DispatchOptions,
  HistoryRange,
  ItemRange,
  MergeOptions,
  ProposeOptions,
  RedactOptions,
  UndoOptions,
  UndoTarget,
} from "./options.ts";
import type { BranchChange, Explanation, Merged, Proposal, ProposalStatus, Redacted } from "./results.ts";

/** The authority of one shared state. `getState` is the newest confirmed state. */
export interface Thread<D extends AnyDefinition = AnyDefinition> extends Readable<StateOf<D>> {
  readonly threadId: string;
  readonly definition: D;
  /**
   * Tells the thread apart from others that had this id: one that is deleted and created again is
   * another one.
   */
  readonly incarnation: string;
  readonly version: number;
  /** Compaction removed the versions 1 to `floor` from the history; 0 when it removed none. */
  readonly floor: number;
  /** Of a branch: the thread and version it began at. */
  readonly parent: ThreadParent | undefined;
  /**
   * Submits an update; resolves when its verdict is durable. Submissions are judged in call order.
   */
  dispatch(update: UpdateOf<D>, options: DispatchOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * `dispatch` for JSON from outside: a webhook, a tool call, a request. Any value is accepted, and
   * what is no update of the definition is refused with words.
   */
  submit(update: unknown, options: DispatchOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * Commits in their order, all or a part. With `rejections`, the newest refusals are given in
   * their places between them. After a page that ends with a commit there may be another one,
   * `after` that commit's version (`before` it in descending order). Any other page is the last.
   */
  history(range?: HistoryRange): Promise<readonly HistoryEntry<AcceptedOperationOf<D>>[]>;
  /**
   * The same, one entry after another: the log is read in small parts, and no further than they are
   * accepted. Rejects with the reason of a `signal` that is aborted.
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
   * for (const by of [1, 5, 2]) await thread.dispatch(counter.op.add({ by }), { actor: { kind: "user", id: "ada" } });
   * let large: number | undefined;
   * for await (const entry of thread.entries({ order: "descending" })) {
   *   if (entry.kind !== "commit" || Number(entry.commit.operation["by"]) < 5) continue;
   *   large = entry.commit.version;
   *   break;
   * }
   * large; // 2
   * ```
   */
  entries(
    range?: HistoryRange & { readonly signal?: AbortSignalLike },
  ): AsyncIterable<HistoryEntry<AcceptedOperationOf<D>>>;
  /**
   * The state of a version. Throws a RangeError when there is no such version, an OpstateError
   * (`compacted`) when it lies below the floor.
   */
  stateAt(version: number): Promise<StateOf<D>>;
  /**
   * Who wrote the value at a JSON Pointer: the commit that last touched it, or anything in it. An
   * item is followed through its list, and what is inside it into another list as well, unless a
   * list was replaced as a whole on the way. Undefined when no commit touched the value, or when
   * compaction removed that commit. Throws an OpstateError (`invalid_pointer`).
   */
  explain(
    pointer: string,
    options?: { readonly signal?: AbortSignalLike },
  ): Promise<Explanation<AcceptedOperationOf<D>> | undefined>;
  /**
   * Takes back some commits and keeps the rest: what is kept changes the very things that it
   * changed at first. The commits' own actors decide whether the right to undo is needed: those who
   * did, approved or merged them. Later operations that would do something else without what is
   * undone are named in a `conflict` (reason `dependents`; `details.why` says what each would
   * do). With `onDependent: "drop"` they are undone too, with "keep" what they did stays. It is
   * one submission and one commit: `{ type: "$undo", versions, dropped?, recomputed?, carried?,
   * replayed? }`. `recomputed` are commits that gave other values to the same things, `carried`
   * those whose effect stays although the operation would do something else now. To redo, undo that
   * commit's id.
   */
  undo(target: UndoTarget, options: UndoOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * What actors other than `for` did after version `since`, in sentences, human edits first. At
   * most `budget` tokens of about 4 characters each; default 500. Empty when there is nothing.
   */
  digest(options: { readonly since: number; readonly for: Actor; readonly budget?: number }): Promise<string>;
  /**
   * Proposes an operation instead of doing it: a commit without patches, `{ type: "$propose",
   * operation, basedOn, patches, previous }`, whose id is the proposal's. The proposer must be
   * allowed to use the operation. It may be one that needs approval.
   */
  propose(update: UpdateOf<D>, options: ProposeOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * The open proposals, oldest first: those that are neither decided nor undone nor expired. Each
   * is tried on the present state, so a part costs a part.
   */
  proposals(range?: ItemRange): Promise<readonly Proposal<AcceptedOperationOf<D>>[]>;
  /**
   * What became of a proposal: whether it is open, expired, or decided, and then by whom, how and
   * at which version. Where several actors proposed under one id, `proposedAt` (the version of the
   * proposal's commit) selects one. Undefined when the log knows no such proposal: there was none,
   * or compaction removed it with its decision.
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
   * const agent = { kind: "agent", id: "planner" };
   * await thread.propose(counter.op.add({ by: 2 }), { actor: agent, id: "p" });
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
   * Carries a proposal out as its proposer's operation. It is a `conflict` when the proposal is
   * decided or expired, or when what it changes is no longer as it was shown and `anyway` is not
   * set.
   */
  approve(proposal: string, options: ApproveOptions): Promise<Verdict<AcceptedOperationOf<D>>>;
  /** Ends a proposal without carrying it out. Approvers and the proposer may do so. */
  decline(
    proposal: string,
    options: DecideOptions & { readonly reason?: string },
  ): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * A separate thread that begins with the state of a version (default: the newest), to be merged
   * or discarded later. What is done on it changes nothing here. With the `id` of an existing
   * branch of this thread and version it gives that one. Throws an OpstateError: `invalid_branch`
   * on a branch, or when the id is another thread's.
   */
  branch(version?: number, options?: { readonly id?: string }): Promise<Branch<D>>;
  /** A branch of this thread by its id, also after a restart; undefined when there is none. */
  openBranch(id: string): Promise<Branch<D> | undefined>;
  /** The branches that were not discarded, oldest first. */
  branches(): Promise<readonly ThreadInfo[]>;
  /**
   * Removes the older history and gives the new floor. The state, and the verdict of every id,
   * stay. Undo, explain and digest end at the floor. An open proposal is kept, with everything
   * after it. Throws a RangeError when the range names no version of this thread, an OpstateError
   * (`invalid_branch`) on a branch.
   */
  compact(range: CompactRange): Promise<number>;
  /**
   * Erases what an actor wrote, here and on all branches. What the present state holds stays: it is
   * the application's, so change it first, by an operation of your own; on branches too. The
   * history up to the actor's last commit goes, whatever compaction spares. In what others did
   * since, in refusals, snapshots and branches, the actor's texts become marks such as
   * `[erased 1]`; open proposals that go with it are declined, with words. Ids, actors, versions,
   * codes and the verdict of every id stay. Ends with a `$redact` commit on the thread and on each
   * branch, by which clients drop what they stored. May be repeated, and must be after an error.
   * Throws an OpstateError (`invalid_branch`) on a branch.
   */
  redact(options: RedactOptions): Promise<Redacted>;
  /**
   * Called after each durable commit, in version order. Returns the function that unsubscribes. A
   * listener that throws stops neither the others nor the thread. Its error goes to `onError` of
   * openThread; without that it is an unhandled rejection, which ends a Node process.
   */
  onCommit(listener: (commit: Commit<AcceptedOperationOf<D>>) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
  /**
   * Called once, when the thread is closed: by `close`, or, with an OpstateError (`replaced`),
   * because it was deleted from its log, whether or not another one was created under its id. Every
   * call then throws.
   */
  onClose(listener: (reason: OpstateError | undefined) => void): () => void;
  close(): Promise<void>;
}

/**
 * A thread that began as a copy of another one. Permissions hold on it. Approval waits for the
 * merge: an operation that needs it needs it from the actor who merges.
 */
export interface Branch<D extends AnyDefinition = AnyDefinition> extends Thread<D> {
  readonly parent: ThreadParent;
  /**
   * What was done here and not undone, operation by operation, and whether the parent would
   * accept each of them now. `after` is a version of the branch; a part costs about as much as all.
   * Rejects with the reason of a `signal` that is aborted.
   */
  diff(
    options?: ItemRange & { readonly signal?: AbortSignalLike },
  ): Promise<readonly BranchChange<AcceptedOperationOf<D>>[]>;
  /**
   * Does all or chosen changes again on the parent, in their order, each with its own verdict. Both
   * its author and the actor who merges it must be allowed to use the operation. An operation that
   * needs approval must be merged by another actor, who has the right to approve. A change takes
   * effect once, by any number of merges. One that was refused may be tried again.
   */
  merge(options: MergeOptions): Promise<readonly Merged<AcceptedOperationOf<D>>[]>;
  /** Deletes the branch. What was merged stays. */
  discard(): Promise<void>;
}
