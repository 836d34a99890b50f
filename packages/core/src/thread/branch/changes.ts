// What was done on a branch and not undone, and whether the parent would accept it now.

import { defined } from "../../defined.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import type { NamedState } from "../../engine/things/index.ts";
import { approved, permissionFault } from "../authority/approval.ts";
import type { Commit } from "../commit.ts";
import type { Log, ThreadInfo } from "../log/log.ts";
import { readPages } from "../log/scan.ts";
import { DECLINE, MIGRATE, PROPOSE, REDACT, UNDO } from "../entries.ts";
import { type Origin, originOf } from "../origin.ts";
import type { Pace } from "../pace.ts";
import type { ItemRange } from "../options.ts";
import type { BranchChange } from "../results.ts";
import { excluded } from "../undo/excluded.ts";
import type { Line } from "../undo/line.ts";
import { sentenceOf } from "../words.ts";
import { lossOf, mergeChange, mergeRejection } from "./merge.ts";

/**
 * Commits that are not merged: they change nothing themselves, or, as a migration, only what the
 * parent does for itself.
 */
const UNMERGED_TYPES = new Set<string>([UNDO, PROPOSE, DECLINE, MIGRATE, REDACT]);

/** One operation that was done on a branch, with its author. */
export interface Change extends Origin {
  readonly commit: Commit;
}

/** In the order of the branch. */
export async function changesOf(
  log: Log,
  { threadId, incarnation }: ThreadInfo,
  pace?: Pace,
): Promise<readonly Change[]> {
  const commits: Commit[] = [];
  for await (const page of readPages(log, threadId, {}, pace)) commits.push(...page);
  const undone = excluded(commits);
  return commits.flatMap((commit) =>
    undone.has(commit.version) || UNMERGED_TYPES.has(commit.operation.type)
      ? []
      : [{ commit, ...originOf(commit, incarnation) }],
  );
}

/** `merged` holds the versions at which changes were merged: those are in the parent already. */
export async function describeChanges(
  definition: AnyDefinition,
  { line, to }: { readonly line: Line; readonly to: NamedState },
  changes: readonly Change[],
  merged: readonly (number | undefined)[],
  pace: Pace,
  { after = 0, limit = Infinity }: ItemRange = {},
): Promise<readonly BranchChange[]> {
  const model = approved(definition.model);
  const described: BranchChange[] = [];
  let reached = to;
  for (const [index, change] of changes.entries()) {
    if (described.length >= limit) break;
    if (pace.isOver) await pace.next();
    const { commit, operation, actor, runId } = change;
    const { id, version, at, toolCallId } = commit;
    const mergedVersion = merged[index];
    const recorded = mergedVersion === undefined ? line.effectOf(version) : undefined;
    let rejection =
      recorded === undefined ? undefined : (permissionFault(model, operation, actor) ?? lossOf(change, recorded));
    if (recorded !== undefined && rejection === undefined) {
      const outcome = mergeChange(definition, change, recorded, reached);
      if (outcome.kind === "dependent")
        rejection = mergeRejection(definition, change, outcome.found, recorded, reached);
      else if (outcome.kind !== "nothing") reached = outcome.effect.after;
    }
    if (version <= after) continue;
    described.push({
      id,
      version,
      operation,
      actor,
      at,
      ...defined({ runId, toolCallId }),
      sentence: sentenceOf(definition, { operation, ...defined({ sentence: commit.sentence }) }),
      needsApproval: permissionFault(definition.model, operation, actor)?.code === "needs_approval",
      holds: rejection === undefined,
      ...defined({ rejection, merged: mergedVersion }),
    });
  }
  return described;
}
