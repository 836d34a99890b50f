// Compiles a definition as its author wrote it into the model that the engine runs on.
//
// - In development every visible mistake is reported, all at once. Production trusts the
//   definition.
// - The limits of updates and the check of the initial state apply in both.

import { type DeriveRule, Underivable } from "../engine/derive.ts";
import { DetachedUpdates } from "../engine/detached-updates.ts";
import { recordingDrafts } from "../engine/draft/draft.ts";
import { printFailure } from "../engine/rejection/failure.ts";
import { deepFreeze } from "../engine/freeze.ts";
import { FrozenParts } from "../engine/draft/frozen-parts.ts";
import { KnownStates } from "../engine/known.ts";
import { copyJson, DEFAULT_LIMITS, type JsonLimits, MAX_DEPTH } from "../engine/limits/limits.ts";
import type { Model, OperationModel } from "../engine/model.ts";
import { relateRules } from "../engine/related-rules.ts";
import { build, type Built } from "../engine/replace.ts";
import { compileValidator } from "../engine/validation/validate.ts";
import { OpstateError } from "../error.ts";
import { diff, parsePointer } from "../patch/index.ts";
import { faultsOf } from "./faults.ts";
import { compileMigrate } from "./migrations.ts";
import { loosen } from "./schema-path.ts";
import type { Written } from "./written.ts";

/** An operation is small. Larger changes are replacements. */
const OPERATION_BYTES = 256 * 1024;

export function compile(spec: Written): Model {
  let development = false;
  let onFailure = spec.onFailure ?? (() => undefined);
  // Bundlers replace the expression and drop the checks from production builds.
  if (typeof process !== "undefined" && process.env.NODE_ENV !== "production") {
    development = true;
    onFailure = spec.onFailure ?? printFailure(spec.name);
    const faults = faultsOf(spec);
    if (faults.length > 0) throw invalid(spec.name, faults);
  }
  const derive = compileDerive(spec.derive);
  const looseSchema = derive.reduce((schema, rule) => loosen(schema, [...rule.container, rule.field]), spec.schema);
  const state = withinStack({ ...DEFAULT_LIMITS, ...spec.limits?.state });
  const freeze = spec.freeze === undefined || spec.freeze === "development" ? development || "objects" : spec.freeze;
  const frozen = new FrozenParts(freeze);
  const validator = compileValidator(spec.schema, frozen);
  const model: Model = {
    name: spec.name,
    version: spec.version ?? 1,
    development,
    initial: null,
    state: validator,
    loose: looseSchema === spec.schema ? validator : compileValidator(looseSchema),
    looseSchema,
    operations: new Map(
      Object.entries(spec.operations).map(([type, written]) => [type, compileOperation(type, written)]),
    ),
    derive,
    replace: { allow: spec.replace?.allow ?? ["agent", "system"], approve: spec.replace?.approve ?? [] },
    patches: spec.patches ?? false,
    drafts: spec.drafts ?? recordingDrafts,
    limits: {
      state,
      depth: state.depth,
      operation: withinStack({ ...DEFAULT_LIMITS, bytes: OPERATION_BYTES, ...spec.limits?.operation }),
      batch: spec.limits?.batch ?? 1000,
    },
    freeze,
    frozen,
    known: new KnownStates(),
    detached: new DetachedUpdates(),
    migrate: compileMigrate(spec.migrate, spec.version ?? 1),
    onFailure,
  };
  const initial = compileInitial(model, spec.initial);
  if (development && initial !== null) checkDerivedAgain(model, initial);
  return { ...model, initial };
}

function withinStack(limits: JsonLimits): JsonLimits {
  return { ...limits, depth: Math.min(limits.depth, MAX_DEPTH) };
}

function compileOperation(type: string, written: Written["operations"][string]): OperationModel {
  const { description, input, allow, approve = [], retarget = false, narrow, describe, once, apply } = written;
  const parse = compileValidator(input);
  return { type, description, input, parse, allow, approve, retarget, narrow, describe, once, apply };
}

function compileDerive(written: Written["derive"] = {}): readonly DeriveRule[] {
  const rules = Object.entries(written).map(([pointer, compute]) => {
    const container = [...parsePointer(pointer)];
    const field = container.pop() ?? "";
    // A function of the container that the pointer leads to.
    return { pointer, container, field, compute: compute as DeriveRule["compute"] };
  });
  return relateRules(rules);
}

function compileInitial(model: Model, initial: unknown): object | null {
  if (initial === null) return null;
  const copy = copyJson(initial, model.limits.state);
  if (!copy.ok) throw invalid(model.name, [`initial${copy.fault.path}: ${copy.fault.message}`]);
  const built = buildInitial(model, copy.value);
  if (!built.ok) throw invalid(model.name, [`initial: ${built.problem.message}`]);
  const state = deepFreeze(built.state, model.freeze);
  model.known.add(state);
  return state;
}

function buildInitial(model: Model, value: unknown): Built {
  try {
    return build(model, value);
  } catch (error) {
    if (!(error instanceof Underivable)) throw error;
    const { pointer, cause } = error;
    throw invalid(
      model.name,
      [`derive "${pointer}": ${cause instanceof Error ? cause.message : String(cause)}`],
      cause,
    );
  }
}

/** A derived value that differs each time would be stale at once, and anew after each restart. */
function checkDerivedAgain(model: Model, initial: object): void {
  const again = buildInitial(model, initial);
  const [first] = again.ok ? diff(initial, again.state) : [];
  if (first === undefined) return;
  throw invalid(model.name, [
    `derive: "${first.path}" of the initial state is another value each time it is computed; a rule must not read its own field, a clock or a random number`,
  ]);
}

function invalid(name: string, faults: readonly string[], cause?: unknown): OpstateError {
  return new OpstateError(
    "invalid_definition",
    `The definition of "${name}" cannot work:\n${faults.map((fault) => `- ${fault}`).join("\n")}`,
    ...(cause === undefined ? [] : [{ cause }]),
  );
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };
