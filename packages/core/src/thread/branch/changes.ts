// What was done on a branch and still counts, and what would become of it on the parent now.

import type { AnyDefinition } from "../../definition/definition.ts";
import { run } from "../../engine/run.ts";
import { approved, permissionFault } from "../authority/approval.ts";
import type { Commit } from "../commit.ts";
import { inWords } from "../reading/digest.ts";
import type { Log } from "../log/log.ts";
import { DECLINE, mergeId, MIGRATE, OPSTATE, PROPOSE, UNDO } from "../entries.ts";
import { type Origin, originOf } from "../origin.ts";
import type { Pace } from "../pace.ts";
import type { BranchChange } from "../results.ts";
import { excluded } from "../undo/excluded.ts";

const PAGE = 1_000;
/**
 * Commits that change nothing themselves; what an undo took back is left out, and a migration is
 * the parent's own affair.
 */
const NOTES = new Set<string>([UNDO, PROPOSE, DECLINE, MIGRATE]);

/** One operation that was done on a branch, with whom it is done again as. */
export interface Change extends Origin {
  readonly commit: Commit;
}

/** In the order of the branch. */
export async function changesOf(log: Log, branchId: string): Promise<readonly Change[]> {
  const commits: Commit[] = [];
  for (let more = true; more;) {
    const page = await log.read(branchId, { after: commits.at(-1)?.version ?? 0, limit: PAGE });
    commits.push(...page);
    more = page.length === PAGE;
  }
  const out = excluded(commits);
  return commits.flatMap((commit) =>
    out.has(commit.version) || NOTES.has(commit.operation.type) ? [] : [{ commit, ...originOf(commit) }],
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

/** `state` is the parent's; `merged` says which changes are in it already. */
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
  for (const [index, { commit, operation, actor, runId }] of changes.entries()) {
    if (pace.isOver) await pace.next();
    const { id, version, at, toolCallId } = commit;
    const mergedVersion = merged[index];
    const step = mergedVersion === undefined ? run(model, reached, operation, actor) : undefined;
    if (step !== undefined) reached = step.state;
    described.push({
      id,
      version,
      operation,
      actor,
      at,
      ...(runId === undefined ? {} : { runId }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
      sentence: inWords(definition, operation),
      needsApproval: permissionFault(definition.model, operation, actor)?.code === "needs_approval",
      holds: step?.accepted !== false,
      ...(step?.accepted === false ? { rejection: step.rejection } : {}),
      ...(mergedVersion === undefined ? {} : { merged: mergedVersion }),
    });
  }
  return described;
}
