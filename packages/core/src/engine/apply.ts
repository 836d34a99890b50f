// Runs one operation on a draft of the state: apply, derive, schema check. Nothing outside sees a half-done edit.

import { applyPatch, diff } from "../patch/index.ts";
import type { Actor } from "./actor.ts";
import { derive } from "./derive.ts";
import type { Edited } from "./draft.ts";
import { deepFreeze } from "./freeze.ts";
import { describeIssues } from "./issues.ts";
import type { Model, OperationModel } from "./model.ts";
import { issuesRejection, rejection } from "./reject.ts";
import type { Rejection } from "./rejection.ts";

/** The context of `apply` as the engine gives it. */
export interface ApplyContextLike {
  readonly actor: Actor | undefined;
  readonly reject: (reason: string, message?: string, details?: unknown) => void;
}

export type Step = { readonly ok: true; readonly edited: Edited } | { readonly ok: false; readonly rejection: Rejection };

/** One parsed operation over a state that the engine made. */
export function applyOperation(model: Model, base: object | null, operation: OperationModel, input: unknown, actor: Actor | undefined): Step {
  const { type } = operation;
  if (base === null) return refuse(rejection("no_state", type, `There is no ${model.name} yet: "${type}" needs one. Send a whole ${model.name} first.`));
  const ran = runRecipe(model, base, operation, input, actor);
  return ran.ok ? settle(model, base, type, ran.edited) : ran;
}

function runRecipe(model: Model, base: object, operation: OperationModel, input: unknown, actor: Actor | undefined): Step {
  const drafting = model.drafts.begin(base, { freeze: model.freeze });
  let refused: Rejection | undefined;
  const context: ApplyContextLike = {
    actor,
    reject(reason, message = `Refused: ${reason}`, details) {
      refused ??= rejection("refused", operation.type, message, { reason, details });
    },
  };
  try {
    const returned = operation.apply(drafting.draft, input, context);
    if (isThenable(returned)) {
      returned.then(undefined, () => undefined);
      throw new TypeError(`The apply of "${operation.type}" is asynchronous; it must edit the draft before it returns`);
    }
    if (refused === undefined) return { ok: true, edited: drafting.finish() };
    drafting.discard();
    return refuse(refused);
  } catch (error) {
    drafting.discard();
    return refuse(refused ?? failed(model, operation.type, error));
  }
}

/** Derived fields and the schema, after an edit of a state that the engine made. */
function settle(model: Model, base: object, type: string, edited: Edited): Step {
  if (edited.state === base) return { ok: true, edited };
  let derived: Edited;
  try {
    derived = derive(model.derive, model.drafts, model.freeze, base, edited);
  } catch (error) {
    // The operation's result is not what the rule may rely on. The schema says better why, when it can.
    const checked = model.state.touched(base, edited.state);
    if (!checked.ok) return refuse(issuesRejection("invalid_state", type, describeIssues(checked.issues)));
    return refuse(rejection("invalid_state", type, `A derived field of ${model.name} could not be computed: ${messageOf(error)}`));
  }
  const checked = model.state.touched(base, derived.state);
  if (!checked.ok) return refuse(issuesRejection("invalid_state", type, describeIssues(checked.issues)));
  if (checked.value === derived.state) return { ok: true, edited: derived };
  return fillIn(model, base, type, derived, checked.value as object);
}

/** The schema filled in a default: that is an edit like any other, and derived fields may follow from it. */
function fillIn(model: Model, base: object, type: string, edited: Edited, filled: object): Step {
  const patches = diff(edited.state, filled);
  const applied = applyPatch(edited.state, patches);
  if (!applied.ok || patches.length === 0) return { ok: true, edited };
  const state = applied.document as object;
  if (model.freeze) deepFreeze(state);
  return settle(model, base, type, { state, patches: [...edited.patches, ...patches], inverse: [...applied.inverse, ...edited.inverse], touched: undefined });
}

/** The reducer threw: a bug in it. The error goes to the owner's hook, the sender learns only that it failed. */
export function failed(model: Model, type: string, error: unknown): Rejection {
  try {
    model.onFailure(error, { type });
  } catch {
    // A hook that throws must not break the reducer.
  }
  const path = error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : undefined;
  const shown = path === undefined ? `"${type}" failed: its code threw an error. Nothing was changed.` : `"${type}" failed: ${messageOf(error)}. Nothing was changed.`;
  return rejection("failed", type, shown, path === undefined ? {} : { path });
}

function refuse(why: Rejection): Step {
  return { ok: false, rejection: why };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown error";
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
