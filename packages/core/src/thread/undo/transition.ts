// The transition between two named states: its patches never take one thing for another.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import { difference, type NamedState } from "../../engine/things/index.ts";
import type { Transition } from "../../engine/transition.ts";
import { NO_LIMITS } from "../../engine/limits/no-limits.ts";
import { equal } from "../../json/equal.ts";
import { applyPatch, diff } from "../../patch/index.ts";

/** From the state of a thread to a state of the engine. */
export function transitionTo(
  { model }: AnyDefinition,
  from: NamedState,
  to: NamedState,
  operation: AnyOperation,
): Transition<unknown, AnyOperation> {
  const patches = difference(model, from, to);
  const applied = applyPatch(from.state, patches, { limits: NO_LIMITS });
  const isExact = applied.ok && equal(applied.document, to.state, Infinity);
  if (isExact && patches.length === 0) return unchangedBy(from.state, operation);
  return {
    accepted: true,
    state: to.state,
    operation,
    patches: isExact ? patches : diff(from.state, to.state),
    inverse: isExact ? applied.inverse : diff(to.state, from.state),
  };
}

export function unchangedBy(state: unknown, operation: AnyOperation): Transition<unknown, AnyOperation> {
  return { accepted: true, state, operation, patches: [], inverse: [] };
}
