// Runs one operation on a draft of the state: apply, derive, schema check. An incomplete edit is
// never visible outside.

import { applyPatch, diff } from "../patch/index.ts";
import { growthRejection } from "./limits/growth.ts";
import { derive, Underivable } from "./derive.ts";
import { DraftError, type Drafting, type Edited } from "./draft/draft.ts";
import { failed, underivable } from "./rejection/failure.ts";
import { isFrozenWrite, wroteToFrozen } from "./draft/error.ts";
import { deepFreeze } from "./freeze.ts";
import { describeIssues } from "./validation/issues.ts";
import type { ApplyContextLike, Model, OperationModel } from "./model.ts";
import { issuesRejection, rejection } from "./rejection/reject.ts";
import type { Rejection } from "./rejection/rejection.ts";
import { contentOf, Minting, type RunContext } from "./source.ts";
import { NO_LIMITS } from "./limits/no-limits.ts";
import type { WorkingCopies } from "./draft/working-copies.ts";

export type Step =
  | { readonly ok: true; readonly edited: Edited }
  | { readonly ok: false; readonly rejection: Rejection };

/** One parsed operation over a state that the engine made. */
export function applyOperation(
  model: Model,
  base: object | null,
  operation: OperationModel,
  input: unknown,
  context: RunContext,
  part?: number,
  copies?: WorkingCopies,
): Step {
  const { type } = operation;
  if (base === null)
    return refuse(
      rejection(
        "no_state",
        type,
        `There is no ${model.name} yet: "${type}" needs one. Send a whole ${model.name} first.`,
      ),
    );
  const { freeze, frozen } = model;
  const most = model.limits.state.nodes;
  const drafting = model.drafts.begin(base, { freeze, frozen, most, copies });
  let refused: Rejection | undefined;
  let minting: Minting | undefined;
  const at = context.source?.at;
  const withTime: ApplyContextLike = {
    actor: context.actor,
    reject(reason, message = `Refused: ${reason}`, details) {
      refused ??= rejection("refused", type, message, { reason, details });
    },
    id: (prefix, key) => {
      minting ??= new Minting(context, part, () => contentOf(base, { type, input }));
      return minting.id(prefix, key);
    },
    now: at ?? "",
  };
  // No accessor of its own: to make one takes ten times as long.
  const withoutTime: ProxyHandler<ApplyContextLike> = {
    get(_target, key) {
      if (key !== "now") return withTime[key as keyof ApplyContextLike];
      refused ??= needsSubmission(type);
      throw new Error(refused.message);
    },
  };
  const given = at === undefined ? new Proxy(withTime, withoutTime) : withTime;
  try {
    const returned = operation.apply(drafting.draft, input, given);
    if (isThenable(returned)) returned.then(undefined, () => undefined);
    if (refused === undefined) {
      if (returned !== undefined && returned !== drafting.draft) throw new DraftError(returnedProblem(returned));
      return finish(model, base, type, drafting);
    }
    drafting.discard();
    return refuse(refused);
  } catch (error) {
    drafting.discard();
    return refuse(refused ?? failed(model, type, isFrozenWrite(error) ? wroteToFrozen("its code", error) : error));
  }
}

function finish(model: Model, base: object, type: string, drafting: Drafting): Step {
  const underived = deriveAll(model, drafting);
  const edited = drafting.finish();
  if (edited.state === base) return { ok: true, edited };
  const deep = growthRejection(model, type, base, edited);
  if (deep !== undefined) return refuse(deep);
  const checked = model.state.touched(base, edited.state, edited.touched);
  if (!checked.ok) return refuse(issuesRejection("invalid_state", type, describeIssues(checked.issues)));
  if (underived !== undefined) return refuse(underivable(model, type, underived));
  return checked.value === edited.state
    ? { ok: true, edited }
    : fillIn(model, base, type, edited, checked.value as object);
}

function needsSubmission(type: string): Rejection {
  const message = `"${type}" reads the time of its submission, and was given none. Send it to a thread, or give the reducer { id, at }.`;
  return rejection("refused", type, message, { reason: "needs_submission" });
}

/** The first rule that threw: those after it were not run. */
function deriveAll(model: Model, drafting: Drafting): Underivable | undefined {
  for (const rule of model.derive) {
    try {
      drafting.derive(rule);
    } catch (error) {
      // A draft error is the operation's fault: it put in a value that is not JSON.
      if (error instanceof DraftError) throw error;
      return new Underivable(rule.pointer, error);
    }
  }
  return undefined;
}

/** The schema filled in a default. That is an edit too: derived fields are recomputed. */
function fillIn(model: Model, base: object, type: string, edited: Edited, value: object): Step {
  const patches = diff(edited.state, value);
  const applied = applyPatch(edited.state, patches, { limits: NO_LIMITS });
  if (!applied.ok || patches.length === 0) return { ok: true, edited };
  const state = applied.document as object;
  deepFreeze(state, model.freeze, edited.state);
  const inverse = [...applied.inverse, ...edited.inverse];
  const derived = derive(model.derive, model.drafts, model, base, {
    state,
    patches: [...edited.patches, ...patches],
    inverse,
    touched: undefined,
  });
  const checked = model.state.touched(base, derived.state);
  const deep = growthRejection(model, type, base, derived);
  if (deep !== undefined) return refuse(deep);
  return checked.ok
    ? { ok: true, edited: derived }
    : refuse(issuesRejection("invalid_state", type, describeIssues(checked.issues)));
}

function refuse(why: Rejection): Step {
  return { ok: false, rejection: why };
}

/** Why a value that `apply` returned would be lost, and what to write instead. */
function returnedProblem(returned: unknown): string {
  if (isThenable(returned)) return "its apply is asynchronous, but must edit the draft before it returns";
  if (typeof returned !== "object" || returned === null)
    return (
      `its apply returned ${returned === null ? "null" : `a ${typeof returned}`}, but must return nothing. ` +
      "Put the body in braces: (draft) => { draft.items.push(item); }"
    );
  return (
    `its apply returned ${Array.isArray(returned) ? "an array" : "an object"}, but must edit its draft and return ` +
    "nothing: assign what changes, as in draft.items = items or Object.assign(draft, next)"
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
