// What the calls of a thread give.

import type { Actor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import type { Patch } from "../patch/index.ts";
import type { Commit, Verdict } from "./commit.ts";

/**
 * The commit that last touched a place, with its actor, run and tool call. The run is that of the
 * commit's author: `undo({ runId })` takes the commit back. `path` is the place of the value then.
 */
export interface Explanation<Operation = AnyOperation> {
  readonly commit: Commit<Operation>;
  readonly actor: Actor;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly path: string;
}

/** What erasing an actor's content came to. */
export interface Redacted {
  /** The version of the commit that says so. */
  readonly version: number;
  /** The history up to it is gone. */
  readonly floor: number;
  /** The open proposals that were closed, here and on branches. */
  readonly proposals: readonly { readonly threadId: string; readonly id: string; readonly version: number }[];
  /** The branches that were carried over. */
  readonly branches: readonly string[];
}

/** An operation that needs approval. */
export interface Proposal<Operation = AnyOperation> {
  readonly id: string;
  /** The version of its commit. It tells apart proposals of two actors under one id. */
  readonly version: number;
  readonly operation: Operation;
  readonly actor: Actor;
  readonly at: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly basedOn: number;
  /** What it would change, derived fields left out. */
  readonly patches: Patch;
  readonly expiresAt?: string;
  /** The operation in words, as `sentenceOf` gives them. */
  readonly sentence: string;
  /**
   * The paths that are no longer as they were shown. While there are any, approving it is a
   * conflict, unless it is approved `anyway`.
   */
  readonly stale: readonly string[];
  /** Why the operation would be refused now, when it would be. */
  readonly rejection?: Rejection;
}

/** What became of a proposal. */
export type ProposalStatus<Operation = AnyOperation> =
  /** `open` waits for a decision. `expired` can still be declined, but not approved. */
  | { readonly status: "open" | "expired"; readonly proposal: Proposal<Operation> }
  | {
      readonly status: "decided";
      /** `taken_back`: declined by its proposer, or undone. */
      readonly how: "approved" | "declined" | "taken_back";
      readonly by: Actor;
      /** The version of the commit that decided. */
      readonly version: number;
      /** Why it was declined, when the decline says so. */
      readonly reason?: string;
      /** The commit that decided. */
      readonly commit: Commit<Operation>;
    }
  /** Several actors have an open proposal under this id. `versions` are those of its commits. */
  | { readonly status: "ambiguous"; readonly versions: readonly number[] };

/** One line of a branch's diff. */
export interface BranchChange<Operation = AnyOperation> {
  readonly id: string;
  /** The version of the branch that it led to. */
  readonly version: number;
  readonly operation: Operation;
  /** Who did it. Of what was approved on the branch, that is the proposer. */
  readonly actor: Actor;
  readonly at: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  /** The operation in words, as `sentenceOf` gives them. */
  readonly sentence: string;
  /**
   * Whether the parent accepts it from its actor only with the approval of another one: then the
   * actor who merges it must have the right to approve.
   */
  readonly needsApproval: boolean;
  /** Whether the parent would accept it now, after the changes before it that it accepts. */
  readonly holds: boolean;
  /** Why the parent would refuse it. */
  readonly rejection?: Rejection;
  /** The parent's version at which it was merged. */
  readonly merged?: number;
}

/** The outcome of one change that was to be merged. */
export interface Merged<Operation = AnyOperation> {
  readonly id: string;
  /** The branch's version; undefined when the branch has no such change. */
  readonly version?: number;
  readonly verdict: Verdict<Operation>;
}
