// Confirmed states: what a log or an authority says the state is, made ready for the engine.
//
// Invariant: `state` deep-equals what the log says, whatever today's definition makes of it:
// entries are replayed by their patches, so yesterday's state never depends on today's code.
// `sound` says that the definition agrees with it, so the engine need not check again.

import type { AnyDefinition } from "../definition/definition.ts";
import { adopt } from "../engine/adopt.ts";
import { deepFreeze } from "../engine/freeze.ts";
import { NO_LIMITS } from "../engine/trusted.ts";
import { OpstateError } from "../error.ts";
import { applyPatch } from "../patch/index.ts";
import { equal } from "../json/equal.ts";
import type { Commit } from "./commit.ts";
import type { Pace } from "./pace.ts";

export interface Confirmed {
  readonly state: unknown;
  readonly isValid: boolean;
}

/**
 * A state that came from elsewhere: checked, derived and frozen once. The engine's own object
 * stands for it when the two are equal.
 */
export function confirm(definition: AnyDefinition, state: unknown): Confirmed {
  if (typeof state !== "object" || state === null) return { state, isValid: state === definition.initial };
  const adopted = adoptState(definition, state);
  return adopted !== undefined && equal(adopted, state, Infinity)
    ? { state: adopted, isValid: true }
    : { state, isValid: false };
}

/**
 * The state as today's definition has it: parsed and derived, done once for each object. Undefined
 * when the definition does not accept it.
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
  const state = applyCommit(before.state, commit);
  // Patches of the same definition lead from a sound state to a sound one: that is what its
  // authority made sure of.
  if (!before.isValid || commit.definitionVersion !== definition.version) return confirm(definition, state);
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
  const applied = applyPatch(state, commit.patches, { inverse: false, limits: NO_LIMITS });
  if (applied.ok) return applied.document;
  throw new OpstateError(
    "corrupt_log",
    `The patches of version ${commit.version} do not apply to the state before it: ${applied.error.message}`,
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
  let reached = state;
  for (const [index, commit] of commits.entries()) {
    if (commit.version !== version + index + 1)
      throw new OpstateError(
        "corrupt_log",
        `Version ${version + index + 1} is missing: the log continues with version ${commit.version}.`,
      );
    if (pace.isOver) await pace.next();
    reached = applyCommit(reached, commit);
  }
  return reached;
}
