// Confirmed states: what a log or an authority holds, made ready for the engine.
//
// Invariants:
// - `state` deep-equals what the log holds. Entries are replayed by their patches, so a past state
//   never depends on today's definition.
// - `isValid` says that the definition accepts the state, so the engine need not check it again.

import type { AnyDefinition } from "../definition/definition.ts";
import { adopt } from "../engine/adopt.ts";
import { deepFreeze } from "../engine/freeze.ts";
import type { Accepted } from "../engine/transition.ts";
import { NO_LIMITS } from "../engine/limits/no-limits.ts";
import { OpstateError } from "../error.ts";
import { applyPatch } from "../patch/index.ts";
import { PatchSequence } from "../patch/sequence.ts";
import { equal } from "../json/equal.ts";
import type { Commit } from "./commit.ts";
import type { Pace } from "./pace.ts";

export interface Confirmed {
  readonly state: unknown;
  readonly isValid: boolean;
}

/**
 * A state from outside the engine: checked, derived and frozen once. When the engine's own object
 * is equal to it, that object is given.
 */
export function confirm(definition: AnyDefinition, state: unknown): Confirmed {
  if (typeof state !== "object" || state === null) return { state, isValid: state === definition.initial };
  const adopted = adoptState(definition, state);
  return adopted !== undefined && equal(adopted, state, Infinity)
    ? { state: adopted, isValid: true }
    : { state, isValid: false };
}

/**
 * The state parsed and derived by today's definition, once for each object. Undefined when the
 * definition does not accept it.
 */
export function adoptState(definition: AnyDefinition, state: object): object | null | undefined {
  const adopted = definition.model.known.adoptState(state, (foreign) => adopt(definition.model, foreign));
  return adopted.ok ? adopted.state : undefined;
}

/**
 * The state after a commit. Throws an OpstateError (`corrupt_log`) when the commit is not of this
 * state.
 */
export function confirmCommit(definition: AnyDefinition, before: Confirmed, commit: Commit): Confirmed {
  return confirmCommits(definition, before, [commit]);
}

/** The same after several commits in a row. */
export function confirmCommits(definition: AnyDefinition, before: Confirmed, commits: readonly Commit[]): Confirmed {
  const state = applyInRow(before.state, commits);
  // The authority checked that patches of one definition lead from a valid state to a valid one.
  if (!before.isValid || commits.some(({ definitionVersion }) => definitionVersion !== definition.version))
    return confirm(definition, state);
  if (typeof state === "object" && state !== null) {
    definition.model.known.add(state);
    deepFreeze(state, definition.model.freeze, before.state);
  }
  return { state, isValid: true };
}

/**
 * A state with one commit's patches. Throws an OpstateError (`corrupt_log`) when they do not apply.
 */
export function applyCommit(state: unknown, commit: Commit): unknown {
  return applyInRow(state, [commit]);
}

/** All patches at once: what several of them change is copied once. */
function applyInRow(state: unknown, commits: readonly Commit[]): unknown {
  const [first] = commits;
  const patches =
    commits.length === 1 && first !== undefined ? first.patches : commits.flatMap((commit) => commit.patches);
  const applied = applyPatch(state, patches, { inverse: false, limits: NO_LIMITS });
  if (applied.ok) return applied.document;
  throw new OpstateError(
    "corrupt_log",
    `The patches of version ${first?.version} do not apply to the state before it: ${applied.error.message}`,
  );
}

/**
 * A state with the patches of consecutive commits from after `version`. Throws as `applyCommit`,
 * and when a version is missing.
 */
export async function applyCommits(
  state: unknown,
  version: number,
  commits: readonly Commit[],
  pace: Pace,
): Promise<unknown> {
  const row = new PatchSequence(state, NO_LIMITS);
  for (const [index, commit] of commits.entries()) {
    if (commit.version !== version + index + 1)
      throw new OpstateError(
        "corrupt_log",
        `Version ${version + index + 1} is missing: the log continues with version ${commit.version}.`,
      );
    if (pace.isOver) await pace.next();
    // One by one, they say which one does not apply.
    if (row.take(commit.patches) !== undefined) return commits.reduce(applyCommit, state);
  }
  return row.document;
}

/** Whether a commit did to a state what a run of its operation did. */
export function isSameOutcome(_before: unknown, { patches }: Accepted<unknown, unknown>, commit: Commit): boolean {
  return equal(patches, commit.patches, Infinity);
}
