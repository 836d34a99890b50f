// What an update is: one of the definition's operations, a built-in (`$replace`, `$batch`,
// `$patch`), or a whole value.
//
// - Sizes are checked before anything else reads the update.
// - Only a copy is kept, never an object of the sender.
// - An update is copied once: by `detach` in a thread or a replica, by `resolve` anywhere else.

import { OVERWRITE, OVERWRITE_PROBLEM } from "../json/reserved-keys.ts";
import type { Actor } from "./actor.ts";
import { deepFreeze } from "./freeze.ts";
import { builtInLimits } from "./limits/growth.ts";
import { describeIssues } from "./validation/issues.ts";
import { copyJson, type JsonCopy } from "./limits/limits.ts";
import type { Model, OperationModel } from "./model.ts";
import { checkPermission } from "./permission.ts";
import { faultRejection, issuesRejection, rejection } from "./rejection/reject.ts";
import type { Rejection } from "./rejection/rejection.ts";

export type Resolved =
  | { readonly kind: "operation"; readonly model: OperationModel; readonly input: object }
  | { readonly kind: "replace"; readonly value: unknown }
  | { readonly kind: "patch"; readonly patch: unknown }
  | { readonly kind: "batch"; readonly parts: readonly Resolved[] };

export type Resolution =
  | { readonly ok: true; readonly resolved: Resolved }
  | { readonly ok: false; readonly rejection: Rejection };

/** Copies an update that came from outside. `resolve` does not copy such a copy again. */
export function detach(model: Model, update: unknown): JsonCopy {
  // The widest limits of any update: `resolve` checks its own.
  const state = builtInLimits(model.limits.state);
  const { depth, nodes, bytes } = model.limits.operation;
  return model.detached.copy(update, {
    depth: Math.max(state.depth, depth),
    nodes: Math.max(state.nodes, nodes),
    bytes: Math.max(state.bytes, bytes),
  });
}

export function resolve(model: Model, update: unknown, actor: Actor | undefined): Resolution {
  const type = typeOf(update);
  const { state, operation } = model.limits;
  const limits = type === undefined ? state : type.startsWith("$") ? builtInLimits(state) : operation;
  if (model.detached.has(update, limits)) return resolveCopy(model, update, actor, true);
  const copy = copyJson(update, limits);
  if (!copy.ok) return refuse(faultRejection(type ?? "$replace", copy.fault));
  return resolveCopy(model, copy.value, actor, true);
}

function resolveCopy(model: Model, update: unknown, actor: Actor | undefined, batches: boolean): Resolution {
  if (update === null || update === undefined)
    return refuse(
      rejection(
        "invalid_operation",
        "unknown",
        `Nothing was sent. Send one of: ${names(model)}, or a whole ${model.name}.`,
      ),
    );
  const type = typeOf(update);
  if (type === undefined) return resolveReplace(model, update, actor);
  // It has a type, so it is an object. It is our own copy.
  const fields = update as Readonly<Record<string, unknown>>;
  switch (type) {
    case "$replace":
      return "value" in fields
        ? resolveReplace(model, fields["value"], actor)
        : refuse(
            rejection("invalid_operation", type, '"$replace" needs a "value": the whole new state.', {
              path: "/value",
            }),
          );
    case "$batch":
      return batches
        ? resolveBatch(model, fields["operations"], actor)
        : refuse(rejection("invalid_operation", type, "A batch cannot contain another batch."));
    case "$patch":
      if (!model.patches) break;
      return resolvePatch(model, fields["patch"], actor);
  }
  const operation = model.operations.get(type);
  if (operation === undefined) {
    return refuse(
      rejection("unknown_operation", type, `There is no operation "${type}". Known: ${names(model)}.`, {
        details: { known: [...model.operations.keys()] },
      }),
    );
  }
  const { type: _, ...input } = fields;
  const parsed = operation.parse.full(input);
  if (!parsed.ok) return refuse(issuesRejection("invalid_operation", type, describeIssues(parsed.issues)));
  const refusal = checkPermission(operation, actor, type);
  if (refusal !== undefined) return refuse(refusal);
  return { ok: true, resolved: { kind: "operation", model: operation, input: deepFreeze(parsed.value as object) } };
}

function resolveReplace(model: Model, value: unknown, actor: Actor | undefined): Resolution {
  const refusal = checkPermission(model.replace, actor, "$replace");
  if (refusal !== undefined) return refuse(refusal);
  if (value === null)
    return refuse(
      rejection("invalid_operation", "$replace", `null is not a ${model.name}; send a whole one.`, { path: "/value" }),
    );
  // The copy checked only its own root; the value of a "$replace" is below it.
  if (typeof value === "object" && Object.hasOwn(value, OVERWRITE))
    return refuse(
      rejection("invalid_operation", "$replace", `/value/${OVERWRITE} ${OVERWRITE_PROBLEM}.`, { path: "/value" }),
    );
  return { ok: true, resolved: { kind: "replace", value } };
}

function resolvePatch(model: Model, patch: unknown, actor: Actor | undefined): Resolution {
  const refusal = checkPermission(model.replace, actor, "$patch");
  return refusal === undefined ? { ok: true, resolved: { kind: "patch", patch } } : refuse(refusal);
}

function resolveBatch(model: Model, operations: unknown, actor: Actor | undefined): Resolution {
  if (!Array.isArray(operations) || operations.length === 0) {
    return refuse(
      rejection("invalid_operation", "$batch", '"$batch" needs "operations": a list of at least one operation.', {
        path: "/operations",
      }),
    );
  }
  if (operations.length > model.limits.batch) {
    return refuse(
      rejection(
        "too_large",
        "$batch",
        `A batch can contain at most ${model.limits.batch} operations; this one contains ${operations.length}.`,
        {
          path: "/operations",
        },
      ),
    );
  }
  const parts: Resolved[] = [];
  let approval: Rejection | undefined;
  for (const [index, part] of operations.entries()) {
    const resolution = resolveCopy(model, part, actor, false);
    if (resolution.ok) parts.push(resolution.resolved);
    else if (resolution.rejection.code !== "needs_approval") return refuse(inBatch(resolution.rejection, index));
    // The strictest answer counts: a later part may be forbidden.
    else approval ??= inBatch(resolution.rejection, index);
  }
  return approval === undefined ? { ok: true, resolved: { kind: "batch", parts } } : refuse(approval);
}

/** A rejection of one part, as the batch's. */
export function inBatch(part: Rejection, index: number): Rejection {
  return Object.freeze({
    ...part,
    message: `Operation ${index + 1} of the batch: ${part.message}`,
    path: `/operations/${index}${part.path ?? ""}`,
  });
}

function names(model: Model): string {
  return [...model.operations.keys()].join(", ") || "(no operations)";
}

function typeOf(update: unknown): string | undefined {
  if (typeof update !== "object" || update === null || !Object.hasOwn(update, "type")) return undefined;
  const { type } = update as { type: unknown };
  return typeof type === "string" ? type : undefined;
}

function refuse(why: Rejection): Resolution {
  return { ok: false, rejection: why };
}
