// A replacement of the whole value: derived fields may be left out, unknown keys are stripped, what is equal is shared.

import { applyPatch, diff } from "../patch/index.ts";
import { derive } from "./derive.ts";
import { deepFreeze } from "./freeze.ts";
import { describeIssues } from "./issues.ts";
import type { Model } from "./model.ts";
import { trusted } from "./trusted.ts";
import type { Described } from "./issues.ts";
import { underivable, type Step } from "./apply.ts";
import { issuesRejection } from "./reject.ts";

export type Built = { readonly ok: true; readonly state: object } | { readonly ok: false; readonly problem: Described };

/** A state made from detached JSON: parsed, derived, checked. Throws what a derive rule throws. */
export function build(model: Model, value: unknown): Built {
  const loose = model.loose.full(value);
  if (!loose.ok) return { ok: false, problem: describeIssues(loose.issues) };
  if (model.derive.length === 0) return container(loose.value);
  const parsed = container(loose.value);
  if (!parsed.ok) return parsed;
  const derived = derive(model.derive, model.drafts, false, undefined, {
    state: parsed.state,
    patches: [],
    inverse: [],
    touched: undefined,
  });
  const whole = model.state.full(derived.state);
  return whole.ok ? container(whole.value) : { ok: false, problem: describeIssues(whole.issues) };
}

export function replaceState(model: Model, base: object | null, value: unknown): Step {
  const type = "$replace";
  let built: Built;
  try {
    built = build(model, value);
  } catch (error) {
    return { ok: false, rejection: underivable(model, type, error) };
  }
  if (!built.ok) return { ok: false, rejection: issuesRejection("invalid_state", type, built.problem) };
  const patches = diff(base, built.state);
  const applied = applyPatch(base, patches, { limits: trusted });
  // `diff` gives patches that apply; the whole value stands in should it ever not.
  const shared = applied.ok && typeof applied.document === "object" && applied.document !== null ? applied : undefined;
  const state = patches.length === 0 && base !== null ? base : ((shared?.document as object | undefined) ?? built.state);
  if (model.freeze) deepFreeze(state);
  const inverse = shared?.inverse ?? [{ op: "replace", path: "", value: base }];
  return { ok: true, edited: { state, patches, inverse, touched: undefined } };
}

function container(value: unknown): Built {
  if (typeof value === "object" && value !== null) return { ok: true, state: value };
  return { ok: false, problem: { message: "The state must be an object", issues: [] } };
}
