// A replacement of the whole value: derived fields may be absent, unknown keys are stripped, equal
// parts are shared with the state before.

import { applyPatch, diff } from "../patch/index.ts";
import { derive } from "./derive.ts";
import type { Edited } from "./draft/draft.ts";
import { underivable } from "./rejection/failure.ts";
import { deepFreeze } from "./freeze.ts";
import { growthRejection } from "./limits/growth.ts";
import { describeIssues } from "./validation/issues.ts";
import type { Model } from "./model.ts";
import { NO_LIMITS } from "./limits/no-limits.ts";
import type { Described } from "./validation/issues.ts";
import type { Step } from "./apply.ts";
import { issuesRejection } from "./rejection/reject.ts";
import type { Validator } from "./validation/validate.ts";

export type Built = { readonly ok: true; readonly state: object } | { readonly ok: false; readonly problem: Described };

/**
 * A state made from detached JSON: parsed, derived, checked. Throws an `Underivable` when a derive
 * rule throws, and what a refinement throws.
 */
export function build(model: Model, value: unknown): Built {
  const loose = model.loose.full(value);
  if (!loose.ok) return { ok: false, problem: describeIssues(loose.issues) };
  if (model.derive.length === 0) return container(loose.value);
  const parsed = container(loose.value);
  if (!parsed.ok) return parsed;
  const derived = derive(model.derive, model.drafts, model, undefined, {
    state: deepFreeze(parsed.state, model.freeze),
    patches: [],
    inverse: [],
    touched: undefined,
  });
  const whole = model.state.full(derived.state);
  return whole.ok ? container(whole.value) : { ok: false, problem: describeIssues(whole.issues) };
}

/**
 * The same for a value that shares its equal parts with `base`, a state of the engine: only the
 * rest is checked. Where that is not enough (a key to strip, a default to fill in, an issue), the
 * whole value is parsed.
 */
function rebuild(model: Model, base: object, value: unknown): Built {
  if (!passes(model.loose, base, value)) return build(model, value);
  const parsed = container(value);
  if (model.derive.length === 0 || !parsed.ok) return parsed;
  const { state } = derive(model.derive, model.drafts, model, base, {
    state: deepFreeze(parsed.state, model.freeze, base),
    patches: [],
    inverse: [],
    touched: undefined,
  });
  return passes(model.state, base, state) ? { ok: true, state } : build(model, value);
}

function passes(validator: Validator, base: object, value: unknown): boolean {
  const parsed = validator.touched(base, value);
  return parsed.ok && parsed.value === value;
}

/** `edited`: the value was made from `base` and shares what it has in common with it. */
export function replaceState(model: Model, base: object | null, value: unknown, edited = false): Step {
  const type = "$replace";
  let built: Built;
  try {
    built = edited && base !== null ? rebuild(model, base, value) : build(model, value);
  } catch (error) {
    return { ok: false, rejection: underivable(model, type, error) };
  }
  if (!built.ok) return { ok: false, rejection: issuesRejection("invalid_state", type, built.problem) };
  const patches = diff(base, built.state);
  const applied = applyPatch(base, patches, { limits: NO_LIMITS });
  // The patches of `diff` apply. If they ever did not, the whole value would be used.
  const shared = applied.ok && typeof applied.document === "object" && applied.document !== null ? applied : undefined;
  const state =
    patches.length === 0 && base !== null ? base : ((shared?.document as object | undefined) ?? built.state);
  deepFreeze(state, model.freeze, base);
  const inverse = shared?.inverse ?? [{ op: "replace", path: "", value: base }];
  const made: Edited = { state, patches, inverse, touched: undefined };
  // A derived field or a default may be deeper than the update. (For a patch, the caller checks.)
  const deep = edited ? undefined : growthRejection(model, type, base, made);
  return deep === undefined ? { ok: true, edited: made } : { ok: false, rejection: deep };
}

function container(value: unknown): Built {
  if (typeof value === "object" && value !== null) return { ok: true, state: value };
  return { ok: false, problem: { message: "The state must be an object", issues: [] } };
}
