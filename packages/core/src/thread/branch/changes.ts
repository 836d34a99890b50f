// What was done on a branch and not taken back, and whether the parent would accept it now.

import { defined } from "../../defined.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import { run } from "../../engine/run.ts";
import { approved, permissionFault } from "../authority/approval.ts";
import type { Commit } from "../commit.ts";
import { inWords } from "../reading/digest.ts";
import type { Log } from "../log/log.ts";
import { readPages } from "../log/scan.ts";
import { DECLINE, mergeId, MIGRATE, OPSTATE, PROPOSE, UNDO } from "../entries.ts";
import { type Origin, originOf } from "../origin.ts";
import type { Pace } from "../pace.ts";
import type { BranchChange } from "../results.ts";
import { excluded } from "../undo/excluded.ts";

/**
 * Commits that are not merged: they change nothing themselves, or, as a migration, only what the
 * parent does for itself.
 */
const UNMERGED_TYPES = new Set<string>([UNDO, PROPOSE, DECLINE, MIGRATE]);

/** One operation that was done on a branch, with its author. */
export interface Change extends Origin {
  readonly commit: Commit;
}

/** In the order of the branch. Their ids were made from its incarnation, and stay. */
export async function changesOf(log: Log, branchId: string, incarnation: string): Promise<readonly Change[]> {
  const commits: Commit[] = [];
  for await (const page of readPages(log, branchId)) commits.push(...page);
  const takenBack = excluded(commits);
  return commits.flatMap((commit) =>
    takenBack.has(commit.version) || UNMERGED_TYPES.has(commit.operation.type)
      ? []
      : [{ commit, ...originOf(commit, incarnation) }],
  );
}

/** The parent's versions at which changes were merged; undefined for those that were not. */
export async function mergedAt(
  log: Log,
  threadId: string,
  branchIncarnation: string,
  changes: readonly Change[],
): Promise<readonly (number | undefined)[]> {
  return Promise.all(
    changes.map(async ({ commit }) => {
      const receipt = await log.receipt(threadId, OPSTATE, mergeId(branchIncarnation, commit.version));
      return receipt?.outcome.accepted === true ? receipt.outcome.version : undefined;
    }),
  );
}

/** `state` is the parent's. `merged` holds the versions of the changes that are in it already. */
export async function describeChanges(
  definition: AnyDefinition,
  state: unknown,
  changes: readonly Change[],
  merged: readonly (number | undefined)[],
  pace: Pace,
): Promise<readonly BranchChange[]> {
  const model = approved(definition.model);
  const described: BranchChange[] = [];
  let reached = state;
  for (const [index, { commit, operation, actor, runId, source }] of changes.entries()) {
    if (pace.isOver) await pace.next();
    const { id, version, at, toolCallId } = commit;
    const mergedVersion = merged[index];
    const step = mergedVersion === undefined ? run(model, reached, operation, { actor, source }) : undefined;
    if (step !== undefined) reached = step.state;
    described.push({
      id,
      version,
      operation,
      actor,
      at,
      ...defined({ runId, toolCallId }),
      sentence: inWords(definition, operation),
      needsApproval: permissionFault(definition.model, operation, actor)?.code === "needs_approval",
      holds: step?.accepted !== false,
      ...defined({ rejection: step?.accepted === false ? step.rejection : undefined, merged: mergedVersion }),
    });
  }
  return described;
}
