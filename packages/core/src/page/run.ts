// The page's reducer: the same steps as the authority's, with what only an authority decides left
// out. It accepts at least what the authority accepts, so nothing is lost that could have been
// sent.
//
//   update -> resolve (input schema, permission) -> draft -> derive -> schema -> state
//
// Invariants: it never throws; a rejection returns the reference that came in; nothing that came in
// is mutated.

import type { ApplyContextLike, Model, OperationModel } from "../engine/model.ts";
import type { AnyOperation } from "../engine/operation.ts";
import { forbiddenText } from "../engine/rejection/forbidden-text.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import type { RunContext } from "../engine/source.ts";
import type { Transition } from "../engine/transition.ts";
import { isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { Patch } from "../patch/operation.ts";
import { typeOf } from "../thread/type-of.ts";
import { applyTrusted } from "./apply.ts";
import { deriveAndCheck, parse } from "./check.ts";
import { difference } from "./difference.ts";
import { draftOf } from "./draft.ts";
import { minting } from "./ids.ts";
import { copyJsonOnPage, shareOnPage } from "./json.ts";
import { type Adopted, type PageModel, type PagePermission, pageModel } from "./model.ts";
import { rejection } from "./reject.ts";

/** An update that may be carried out. */
interface Step {
  readonly operation: AnyOperation;
  /** Gives the state after it. Throws a `Refusal`. */
  readonly perform: (base: object | null, part?: number) => object;
}

/** Ends a run. */
class Refusal {
  declare readonly rejection: Rejection;

  constructor(...given: Parameters<typeof rejection>) {
    this.rejection = rejection(...given);
  }
}

export function run(
  opaque: Model,
  given: unknown = pageModel(opaque).initial,
  update: unknown,
  context: RunContext,
): Transition<unknown, AnyOperation> {
  const model = pageModel(opaque);
  const type = typeOf(update);
  try {
    const waiting: Refusal[] = [];
    const { operation, perform } = resolve(model, update, context, waiting, true);
    if (waiting[0]) throw waiting[0];
    const adopted: Adopted | null = given === null ? null : adopt(model, given);
    if (adopted?.fault && operation.type !== REPLACE)
      throw new Refusal("invalid_state", type, adopted.fault.message, adopted.fault);
    const state = perform(adopted?.state ?? null);
    // What was written may be what was there.
    const after = equal(given, state) ? given : state;
    model.adopted.set(state, { state });
    return {
      accepted: true,
      state: after,
      operation,
      // A page that sends its operations reads neither.
      get patches() {
        return difference(given, after);
      },
      get inverse() {
        return difference(after, given);
      },
    };
  } catch (error) {
    return { accepted: false, state: given, rejection: refusalOf(model, type, error, "failed").rejection };
  }
}

/** A state from elsewhere, parsed and derived once for each object. */
export function adopt(model: PageModel, given: unknown): Adopted {
  if (!isContainer(given)) return { fault: { message: "not JSON" } };
  let adopted = model.adopted.get(given);
  if (!adopted) {
    try {
      // A copy: others may write to theirs, and in it no container stands in two places.
      adopted = deriveAndCheck(model, copyJsonOnPage(given));
    } catch (error) {
      adopted = { fault: refusalOf(model, "unknown", error, "invalid_state").rejection };
    }
    model.adopted.set(given, adopted).set(adopted.state ?? given, adopted);
  }
  return adopted;
}

const REPLACE = "$replace";

/** `waiting` gets the refusals of what needs approval. */
function resolve(model: PageModel, update: unknown, context: RunContext, waiting: Refusal[], mayBatch: boolean): Step {
  const type = typeOf(update);
  const { operations, patches, replace, name } = model;
  const fields = Object(update) as Readonly<Record<string, unknown>>;
  /** What its sender cannot change any more, and `apply` may write to. */
  const detached = (value: unknown): unknown => {
    try {
      return copyJsonOnPage(value);
    } catch (error) {
      throw new Refusal("invalid_operation", type, String(error));
    }
  };
  const permitted = ({ allow, approve }: PagePermission) => {
    const kind = context.actor?.kind;
    if (kind && allow && !allow.includes(kind))
      throw new Refusal("forbidden", type, forbiddenText(kind, type, allow), { details: { allowed: allow } });
    // A later part of a batch may be forbidden: that answer is stricter.
    if (approve.includes(kind!)) waiting.push(new Refusal("needs_approval", type, `"${type}" needs approval.`));
  };
  const replacing = (payload: object, valueFrom: (base: unknown) => unknown): Step => {
    permitted(replace);
    return {
      operation: { type, ...payload },
      perform: (base) => shareOnPage(base, checkedState(model, REPLACE, valueFrom(base))) as object,
    };
  };
  if (type === REPLACE) {
    const given = detached(fields["type"] === type ? fields["value"] : update);
    if (given === null) throw new Refusal("invalid_operation", type, `Send a ${name}.`);
    return replacing({ value: given }, () => given);
  }
  if (type === "$patch" && patches) {
    const patch = detached(fields["patch"]);
    return replacing({ patch }, (base) => {
      try {
        return applyTrusted(base, patch as Patch);
      } catch (error) {
        throw new Refusal("conflict", type, String(error));
      }
    });
  }
  if (type === "$batch") {
    const given = detached(fields["operations"]);
    if (!mayBatch || !Array.isArray(given) || !given.length)
      throw new Refusal("invalid_operation", type, "No operations.");
    const parts = given.map((part) => resolve(model, part, context, waiting, false));
    return {
      operation: { type, operations: parts.map(({ operation }) => operation) } as AnyOperation,
      perform: (base) => {
        const state = parts.reduce<object | null>((before, each, part) => each.perform(before, part), base);
        return (equal(base, state) ? base : state) as object;
      },
    };
  }
  const operation = operations.get(type);
  if (!operation)
    throw new Refusal("unknown_operation", type, `No operation "${type}".`, {
      details: { known: [...operations.keys()] },
    });
  const { type: _, ...given } = fields;
  const { state: input, fault } = parse(operation.input, detached(given));
  if (fault) throw new Refusal("invalid_operation", type, fault.message, fault);
  permitted(operation);
  return {
    operation: { type, ...input },
    perform: (base, part) => {
      if (base === null) throw new Refusal("no_state", type, `No ${name} yet.`);
      return apply(model, base, operation, input, context, part);
    },
  };
}

function apply(
  model: PageModel,
  base: object,
  operation: Pick<OperationModel, "type" | "apply">,
  input: unknown,
  context: RunContext,
  part: number | undefined,
): object {
  const { type } = operation;
  const drafting = draftOf(base);
  let refused: Refusal | undefined;
  const given: ApplyContextLike = {
    actor: context.actor,
    reject(reason, message = `Refused: ${reason}`, details) {
      refused ??= new Refusal("refused", type, message, { reason, details });
    },
    id: minting(context, part, () => [base, type, input]),
    get now() {
      const at = context.source?.at;
      if (at === undefined) {
        given.reject("needs_submission");
        throw refused;
      }
      return at;
    },
  };
  try {
    const returned = operation.apply(drafting.draft, input, given);
    if (!refused) {
      if (returned !== undefined && returned !== drafting.draft) throw new TypeError("apply returns nothing");
      return checkedState(model, type, drafting.finish(), base);
    }
  } catch (error) {
    refused ??= refusalOf(model, type, error, "failed");
  }
  drafting.end();
  throw refused;
}

function checkedState(model: PageModel, type: string, value: unknown, base?: object): object {
  if (base !== undefined && value === base) return base;
  let result: Adopted;
  try {
    result = deriveAndCheck(model, value, base);
  } catch (error) {
    throw refusalOf(model, type, error, "invalid_state");
  }
  if (result.fault) throw new Refusal("invalid_state", type, result.fault.message, result.fault);
  return result.state;
}

/**
 * The definition's hook gets what its code threw. The text of what an operation threw is also in
 * the rejection: it ran on the page of the person who edits. What a search sees is frozen, and each
 * browser has words of its own for a write to it.
 */
function refusalOf({ onFailure }: PageModel, type: string, error: unknown, code: "failed" | "invalid_state"): Refusal {
  let text = "";
  try {
    if (error instanceof Refusal) return error;
    if (code === "failed") text = `: ${String(error)}`;
    if (/d.?only|tens|seal|te prop|be del/.test(text)) text += "; use for...of";
  } catch {
    // An object may say nothing of itself.
  }
  try {
    onFailure?.(error, { type });
  } catch {
    // A hook that throws must not break the reducer.
  }
  return new Refusal(code, type, `"${type}" failed${text}.`);
}
