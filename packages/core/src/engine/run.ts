// The reducer: one function of (state, update, context): who submits, and the submission.
//
//   update                                       state
//     |                                            |
//     v                                            v
//   resolve      copy, limits, input schema,     adopt      only a state from elsewhere: copied,
//     |          permission                        |        checked, derived
//     +---------------------+----------------------+
//                           v
//                         apply       the operation edits a draft
//                           v
//                         derive      derived fields of what was touched
//                           v
//                         check       the state schema on what was touched, depth, reserved keys
//                           v
//              accepted: state, patches, inverse
//
//   Every step may refuse: then the state that came in is returned with a rejection.
//
// Invariants (laws 1 to 5):
// - It never throws.
// - A rejection returns the very reference that came in.
// - Nothing that came in is mutated.

import { applyPatch, type Patch } from "../patch/index.ts";
import { adopt } from "./adopt.ts";
import { applyOperation, type Step } from "./apply.ts";
import { performBatch } from "./batch.ts";
import { failed } from "./rejection/failure.ts";
import { growthRejection } from "./limits/growth.ts";
import { ANY_SIZE } from "./limits/limits.ts";
import type { Model } from "./model.ts";
import { issuesRejection, rejection } from "./rejection/reject.ts";
import { replaceState } from "./replace.ts";
import { reservedEdit } from "./limits/reserved.ts";
import { resolve, type Resolved } from "./resolve.ts";
import type { Rejection } from "./rejection/rejection.ts";
import type { SharedCopies } from "./shared-copies.ts";
import type { Transition } from "./transition.ts";
import type { WorkingCopies } from "./draft/working-copies.ts";
import type { AnyOperation } from "./operation.ts";
import type { RunContext } from "./source.ts";

/**
 * `copies`: of operations in a row. The state that this gives is written to by the operations after
 * the next one, until they are cleared.
 */
export function run(
  model: Model,
  current: unknown,
  update: unknown,
  context: RunContext,
  copies?: SharedCopies,
): Transition<unknown, AnyOperation> {
  const next = runOnce(model, current, update, context, copies);
  if (next.accepted) copies?.accept();
  else copies?.refuse();
  return next;
}

function runOnce(
  model: Model,
  current: unknown,
  update: unknown,
  context: RunContext,
  copies: SharedCopies | undefined,
): Transition<unknown, AnyOperation> {
  const given = current === undefined ? model.initial : current;
  let type = "unknown";
  try {
    const resolution = resolve(model, update, context.actor);
    if (!resolution.ok) return refused(given, resolution.rejection);
    const { resolved } = resolution;
    type = typeName(resolved);
    const adopted = model.known.adoptState(given, (foreign) => adopt(model, foreign));
    if (!adopted.ok && resolved.kind !== "replace") {
      const { problem } = adopted;
      return refused(
        given,
        issuesRejection("invalid_state", typeName(resolved), {
          ...problem,
          message: `The current state is not a valid ${model.name}: ${problem.message}. Only a whole replacement is accepted.`,
        }),
      );
    }
    const base = adopted.ok ? adopted.state : null;
    // Any other update copies what it changes by itself.
    if (resolved.kind !== "operation") copies?.clear();
    const step = perform(model, base, resolved, context, undefined, copies);
    if (!step.ok) return refused(given, step.rejection);
    if (step.edited.touched === undefined) copies?.clear();
    const { state, patches, inverse } = step.edited;
    const operation = acceptedOperation(resolved);
    // An invalid state cannot be relied on: the inverse patches lead to null.
    if (!adopted.ok) return accepted(model, state, operation, patches, [{ op: "replace", path: "", value: null }]);
    const { repair } = adopted;
    if (repair !== undefined)
      return accepted(model, state, operation, [...repair.patches, ...patches], [...inverse, ...repair.inverse]);
    if (patches.length === 0) return { accepted: true, state: given, operation, patches: [], inverse: [] };
    return accepted(model, state, operation, patches, inverse);
  } catch (error) {
    return refused(given, failed(model, type, error));
  }
}

function perform(
  model: Model,
  base: object | null,
  resolved: Resolved,
  context: RunContext,
  part?: number,
  copies?: WorkingCopies,
): Step {
  switch (resolved.kind) {
    case "operation":
      return applyOperation(model, base, resolved.model, resolved.input, context, part, copies);
    case "replace":
      return replaceState(model, base, resolved.value);
    case "patch":
      return performPatch(model, base, resolved.patch);
    case "batch":
      return performBatch(model, base, resolved.parts, (state, part, index, copies) => {
        const step = perform(model, state, part, context, index, copies);
        if (step.ok) context.onPart?.(step.edited.patches);
        return step;
      });
  }
}

function performPatch(model: Model, base: object | null, patch: unknown): Step {
  const applied = applyPatch(base, patch, { inverse: false, limits: { depth: Infinity } });
  if (!applied.ok) {
    const { index, message } = applied.error;
    return { ok: false, rejection: rejection("conflict", "$patch", message, { path: `/patch/${index}` }) };
  }
  const step = replaceState(model, base, applied.document, true);
  if (!step.ok) return step;
  const deep = growthRejection(model, "$patch", base, step.edited);
  if (deep !== undefined) return { ok: false, rejection: deep };
  const reserved = reservedEdit(step.edited.state, step.edited.patches, ANY_SIZE);
  if (reserved === undefined) return step;
  return {
    ok: false,
    rejection: rejection("invalid_state", "$patch", `The result is not allowed: ${reserved.message}.`, {
      path: reserved.path,
    }),
  };
}

function acceptedOperation(resolved: Resolved): AnyOperation {
  switch (resolved.kind) {
    case "operation":
      return { type: resolved.model.type, ...resolved.input };
    case "replace":
      return { type: "$replace", value: resolved.value } as AnyOperation;
    case "patch":
      return { type: "$patch", patch: resolved.patch } as AnyOperation;
    case "batch":
      return { type: "$batch", operations: resolved.parts.map(acceptedOperation) } as AnyOperation;
  }
}

function typeName(resolved: Resolved): string {
  return resolved.kind === "operation" ? resolved.model.type : `$${resolved.kind}`;
}

function accepted(
  model: Model,
  state: object,
  operation: AnyOperation,
  patches: Patch,
  inverse: Patch,
): Transition<unknown, AnyOperation> {
  model.known.add(state);
  return { accepted: true, state, operation, patches, inverse };
}

function refused(state: unknown, why: Rejection): Transition<unknown, AnyOperation> {
  return { accepted: false, state, rejection: why };
}
