// The commit of a merge, as the log holds it, and the id that makes it one effect.

import type { Actor } from "../engine/actor.ts";

/**
 * The operation of the commit that brings what was done on a branch into its parent. The commit's
 * actor is who merged it, its run that of the change.
 */
export interface MergeOperation {
  readonly type: "$merge";
  /** The branch's thread id, and the version of the branch that is merged. */
  readonly branch: string;
  readonly change: number;
  /** Who did it on the branch. */
  readonly author: Actor;
  readonly operation: { readonly type: string };
}

/**
 * Whose the ids of merges are: nobody else may use them, so a change is merged once, whoever merges
 * it.
 */
export const OPSTATE: Actor = { kind: "system", id: "opstate" };

/**
 * The id of a merged commit on the parent: the incarnation tells a branch from a later one of its
 * name.
 */
export function mergeId(branchIncarnation: string, change: number): string {
  return `merge-${branchIncarnation}-${change}`;
}

export function isMerge(operation: { readonly type: string }): operation is MergeOperation {
  return operation.type === "$merge";
}
