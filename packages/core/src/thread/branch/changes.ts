// What was done on a branch and not undone, and whether the parent would accept it now.

import { defined } from "../../defined.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import type { Effect, NamedState } from "../../engine/things/index.ts";
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
import { sentenceOf } from "../words.ts";
import { AT_ONCE, type Merges, type MergeState } from "./merges.ts";
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
    undone.has(commit.version) || !isChange(commit) ? [] : [{ commit, ...originOf(commit, incarnation) }],
  );
}

/** A commit of a branch that counts there, and what it did. */
export interface Counted {
  readonly commit: Commit;
  readonly effect: Effect | undefined;
}

/** The way along a branch, and the parent's state to merge into. */
export interface Along {
  readonly steps: AsyncIterable<Counted>;
  readonly to: NamedState;
}

/**
 * One after another, and nothing of them is held. What is merged is in the parent already.
 * `branch`: its incarnation.
 */
export async function* describeChanges(
  definition: AnyDefinition,
  { steps, to }: Along,
  branch: string,
  merges: Merges,
  pace: Pace,
  { after = 0, limit = Infinity }: ItemRange = {},
): AsyncGenerator<BranchChange, void, undefined> {
  if (limit <= 0) return;
  const model = approved(definition.model);
  let reached = to;
  let given = 0;
  for await (const { commit, effect, merged } of withMerges(steps, merges)) {
    if (pace.isOver) await pace.next();
    const change = { commit, ...originOf(commit, branch) };
    const { operation, actor, runId } = change;
    const { id, version, at, toolCallId } = commit;
    const recorded = merged === undefined ? effect : undefined;
    let rejection =
      recorded === undefined ? undefined : (permissionFault(model, operation, actor) ?? lossOf(change, recorded));
    if (recorded !== undefined && rejection === undefined) {
      const outcome = mergeChange(definition, change, recorded, reached);
      if (outcome.kind === "dependent")
        rejection = mergeRejection(definition, change, outcome.found, recorded, reached);
      else if (outcome.kind !== "nothing") reached = outcome.effect.after;
    }
    if (version <= after) continue;
    yield {
      id,
      version,
      operation,
      actor,
      at,
      ...defined({ runId, toolCallId }),
      sentence: sentenceOf(definition, { operation, ...defined({ sentence: commit.sentence }) }),
      needsApproval: permissionFault(definition.model, operation, actor)?.code === "needs_approval",
      holds: rejection === undefined,
      ...defined({ rejection, merged }),
    };
    given += 1;
    if (given >= limit) return;
  }
}

/** The changes among them, and the parent's versions at which they were merged: some at a time. */
async function* withMerges(
  steps: Along["steps"],
  merges: Merges,
): AsyncGenerator<Counted & Pick<MergeState, "merged">, void, undefined> {
  let group: Counted[] = [];
  async function* looked(): AsyncGenerator<Counted & Pick<MergeState, "merged">, void, undefined> {
    const states = await merges.statesOf(group.map(({ commit }) => commit));
    for (const [index, step] of group.entries()) yield { ...step, merged: states[index]?.merged };
    group = [];
  }
  for await (const step of steps) {
    if (isChange(step.commit)) group.push(step);
    if (group.length === AT_ONCE) yield* looked();
  }
  yield* looked();
}

function isChange({ operation }: Commit): boolean {
  return !UNMERGED_TYPES.has(operation.type);
}
