// The kinds of commits that opstate itself writes, and what tells them apart.
//
// Invariant: no other file spells the types of these operations.

import { defined } from "../defined.ts";
import type { Actor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Patch } from "../patch/index.ts";
import type { Commit, Refusal } from "./commit.ts";
import type { Submitted } from "./origin.ts";
import { countVersions, toVersionRanges, versionsIn, type VersionRanges } from "./version-ranges.ts";

export const UNDO = "$undo";
export const PROPOSE = "$propose";
export const APPROVE = "$approve";
export const DECLINE = "$decline";
export const MERGE = "$merge";
export const MIGRATE = "$migrate";
export const REDACT = "$redact";

/** The types of the commits that say which proposals are open: an undo may take a proposal back. */
export const PROPOSAL_TYPES = [PROPOSE, APPROVE, DECLINE, UNDO] as const;

/** The operation of an undo's commit. To undo such a commit is to redo what it took back. */
export interface UndoOperation {
  readonly type: typeof UNDO;
  /** The versions that are undone: `[[1, 20000]]`, or `[3, 7]`. `versionsIn` lists them. */
  readonly versions: VersionRanges;
  /**
   * Those among them that were not selected, and needed what was: `droppedVersions` reads them.
   * Logs of earlier releases hold their ids here.
   */
  readonly dropped?: VersionRanges | readonly string[];
  /** The versions that stayed, with other values: they were computed anew. */
  readonly recomputed?: VersionRanges;
  /**
   * The versions that stayed with what they did at first, on their own things, where the operation
   * would do something else now.
   */
  readonly carried?: VersionRanges;
  /** What those did now, where it does not follow from what they did before. No derived fields. */
  readonly replayed?: readonly ReplayedCommit[];
}

/** What a commit that stayed did when another one was undone. */
export interface ReplayedCommit {
  readonly version: number;
  readonly patches: Patch;
}

/** The operation of a proposal's commit. The commit's id is the proposal's. */
export interface ProposeOperation {
  readonly type: typeof PROPOSE;
  readonly operation: AnyOperation;
  readonly basedOn: number;
  /** The change that an approver is shown. Derived fields are left out: they follow. */
  readonly patches: Patch;
  /**
   * For each step of `patches`, what its place held before. `value` is absent for nothing and for a
   * list's new item. `element` is the list item that the place is a part of.
   */
  readonly previous: readonly { readonly path: string; readonly value?: unknown; readonly element?: unknown }[];
  /** ISO 8601 in UTC: from then on it cannot be approved. */
  readonly expiresAt?: string;
}

/** The operation of the commit that carries a proposal out. */
export interface ApproveOperation {
  readonly type: typeof APPROVE;
  readonly proposal: string;
  readonly proposedAt: number;
  readonly proposer: Actor;
  /** The run that proposed it; the commit's own is that of the approval. */
  readonly runId?: string;
  /** The submission that proposed it. Logs of earlier versions do not have it. */
  readonly source?: Submitted;
  readonly operation: AnyOperation;
  /** What it changes was no longer as the proposal showed it, and was approved all the same. */
  readonly anyway?: true;
}

/** The operation of the commit that ends a proposal without carrying it out. */
export interface DeclineOperation {
  readonly type: typeof DECLINE;
  readonly proposal: string;
  readonly proposedAt: number;
  readonly reason?: string;
}

/**
 * The operation of the commit that brings what was done on a branch into its parent. The commit's
 * actor is who merged it, its run that of the change.
 */
export interface MergeOperation {
  readonly type: typeof MERGE;
  /** The branch's thread id, and the version of the branch that is merged. */
  readonly branch: string;
  readonly change: number;
  /** Who did it on the branch. */
  readonly author: Actor;
  /** The submission that did it on the branch. Logs of earlier versions do not have it. */
  readonly source?: Submitted;
  readonly operation: AnyOperation;
  /** It did the same to the same things with other values than on the branch. */
  readonly recomputed?: true;
  /** It did what it did on the branch, where the operation would do something else here. */
  readonly carried?: true;
}

/** The operation of the commit that brings a stored state to a newer version of its definition. */
export interface MigrateOperation {
  readonly type: typeof MIGRATE;
  readonly from: number;
  readonly to: number;
}

/** The operation of the commit that says whose content was erased. It changes nothing. */
export interface RedactOperation {
  readonly type: typeof REDACT;
  /** Who wrote it. */
  readonly author: Actor;
}

/** An entry of the history: a commit, or (when requested) a refusal. */
export type HistoryEntry<Operation = AnyOperation> =
  | { readonly kind: "commit"; readonly commit: Commit<Operation> }
  | { readonly kind: "refusal"; readonly refusal: Refusal };

export function isUndo(operation: AnyOperation): operation is UndoOperation {
  return operation.type === UNDO;
}

/** What an undo did, as versions. */
export interface UndoneVersions {
  readonly selected: readonly number[];
  readonly dropped?: readonly number[];
  readonly recomputed?: readonly number[];
  readonly carried?: readonly number[];
  readonly replayed?: readonly ReplayedCommit[];
}

/** The operation of an undo that takes back what was selected, and what needed it. */
export function undoOf({ selected, dropped = [], recomputed, carried, replayed }: UndoneVersions): UndoOperation {
  const ranges = (versions: readonly number[] = []) => (versions.length === 0 ? undefined : toVersionRanges(versions));
  return {
    type: UNDO,
    versions: toVersionRanges([...selected, ...dropped]),
    ...defined({
      dropped: ranges(dropped),
      recomputed: ranges(recomputed),
      carried: ranges(carried),
      replayed: replayed === undefined || replayed.length === 0 ? undefined : replayed,
    }),
  };
}

/** Whether an undo is of an earlier release: it did again by the reducer what it kept. */
export function isRefoldedUndo(operation: UndoOperation): boolean {
  return "ids" in operation;
}

/**
 * The versions that an undo took back because they needed what was selected.
 *
 * @example
 *   [...versionsIn(droppedVersions(commit.operation))];
 */
export function droppedVersions({ versions, dropped = [] }: UndoOperation): VersionRanges {
  if (!isListOfIds(dropped)) return dropped;
  // Earlier releases wrote a plain list of versions, of which those that were dropped are the last.
  return [...versionsIn(versions)].slice(countVersions(versions) - dropped.length);
}

function isListOfIds(list: VersionRanges | readonly string[]): list is readonly string[] {
  return typeof list[0] === "string";
}

export function isPropose(operation: AnyOperation): operation is ProposeOperation {
  return operation.type === PROPOSE;
}

export function isApprove(operation: AnyOperation): operation is ApproveOperation {
  return operation.type === APPROVE;
}

export function isDecline(operation: AnyOperation): operation is DeclineOperation {
  return operation.type === DECLINE;
}

/** Whether an operation decides on a proposal. */
export function isDecision(operation: AnyOperation): operation is ApproveOperation | DeclineOperation {
  return isApprove(operation) || isDecline(operation);
}

export function isMerge(operation: AnyOperation): operation is MergeOperation {
  return operation.type === MERGE;
}

/** What a commit's operation proposes or carries out; the operation itself where it is neither. */
export function innerOperation(operation: AnyOperation): AnyOperation {
  return isPropose(operation) || isApprove(operation) || isMerge(operation) ? operation.operation : operation;
}

export function isMigrate(operation: AnyOperation): operation is MigrateOperation {
  return operation.type === MIGRATE;
}

export function isRedact(operation: AnyOperation): operation is RedactOperation {
  return operation.type === REDACT;
}

/**
 * The actor of migrations, and the owner of the ids of merges. No other actor can use such an id,
 * so a change is merged once, by any number of actors.
 */
export const OPSTATE: Actor = { kind: "system", id: "opstate" };

/**
 * The id of a merged commit on the parent. The incarnation tells a branch from a later one of the
 * same name. `undone`: the parent's version of the merge before it, which was undone.
 */
export function mergeId(branchIncarnation: string, change: number, undone?: number): string {
  const id = `merge-${branchIncarnation}-${change}`;
  return undone === undefined ? id : `${id}-${undone}`;
}
