// Confirmed states on a page: what the authority says is so.

import type { AnyDefinition } from "../definition/definition.ts";
import type { Accepted } from "../engine/transition.ts";
import { isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { Commit } from "../thread/commit.ts";
import type { Confirmed } from "../thread/confirmed.ts";
import { applyTrusted } from "./apply.ts";
import { pageModel } from "./model.ts";
import { adopt } from "./run.ts";

/** A state from outside the engine; whether the definition accepts it as it is. */
export function confirm(definition: AnyDefinition, state: unknown): Confirmed {
  const model = pageModel(definition.model);
  if (!isContainer(state)) return { state, isValid: state === definition.initial };
  const { state: own } = adopt(model, state);
  return equal(own, state) ? { state: own, isValid: true } : { state, isValid: false };
}

/**
 * The state after a commit. Throws an OpstateError (`corrupt_log`) when it is not of this state.
 */
export function confirmCommit(definition: AnyDefinition, before: Confirmed, commit: Commit): Confirmed {
  const state = applyTrusted(before.state, commit.patches);
  if (!before.isValid || commit.definitionVersion !== definition.version) return confirm(definition, state);
  if (isContainer(state)) pageModel(definition.model).adopted.set(state, { state });
  return { state, isValid: true };
}

/** Whether a commit did to a state what a run did: their patches may say it in other words. */
export function isSameOutcome(before: unknown, { state }: Accepted<unknown, unknown>, commit: Commit): boolean {
  try {
    return equal(applyTrusted(before, commit.patches), state);
  } catch {
    return false;
  }
}
