// The page's reducer: the same steps as the authority's, with what only an authority decides left
// out. It accepts at least what the authority accepts, so nothing is lost that could have been sent.
//
//   update -> resolve (input schema, permission) -> draft -> derive -> schema -> state
//
// Invariants: it never throws; a rejection returns the reference that came in; nothing that came in
// is mutated.

import type { Actor } from "../engine/actor.ts";
import type { ApplyContextLike, Model } from "../engine/model.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Permission } from "../engine/permission.ts";
import type { Rejection } from "../engine/rejection.ts";
import { contentOf, Minting, type RunContext } from "../engine/source.ts";
import type { Transition } from "../engine/transition.ts";
import { isContainer, isObject } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { applyTrusted } from "./apply.ts";
import { settle, parse } from "./check.ts";
import { difference } from "./difference.ts";
import { Drafting } from "./draft.ts";
import { copyJson, share } from "./json.ts";
import { type Adopted, type PageModel, pageModel } from "./model.ts";
import { rejection } from "./reject.ts";

/** An update as it is carried out; or, where its code is one of a rejection's, why it is not. */
interface Step {
  readonly operation: AnyOperation;
  /** Gives the state after it. Throws a `Refusal`. */
  readonly perform: (base: object | null, part?: number) => object;
  readonly isReplacement?: boolean;
}

/** Ends a run. */
class Refusal {
  readonly rejection: Rejection;

  constructor(...args: Parameters<typeof rejection>) {
    this.rejection = rejection(...args);
  }
}

export function run(
  opaque: Model,
  current: unknown,
  update: unknown,
  context: RunContext,
): Transition<unknown, AnyOperation> {
  const model = pageModel(opaque);
  const given = current === undefined ? model.initial : current;
  let type = "unknown";
  try {
    const own = isContainer(update) && model.detached.has(update) ? update : detached(update);
    type = typeIn(own) ?? "$replace";
    const { operation, perform, isReplacement } = resolve(model, own, context, true);
    const adopted: Adopted | null = given === null ? null : adopt(model, given);
    if (adopted?.fault !== undefined && isReplacement !== true)
      throw new Refusal("invalid_state", type, `The current state is invalid: ${adopted.fault.message}`, adopted.fault);
    const state = perform(adopted?.state ?? null);
    if (state === given) return { accepted: true, state, operation, patches: [], inverse: [] };
    model.adopted.set(state, { state });
    const [patches, inverse] =
      isReplacement === true ? [rootPatch(state), rootPatch(given)] : [difference(given, state), difference(state, given)];
    return { accepted: true, state, operation, patches, inverse };
  } catch (error) {
    return { accepted: false, state: given, rejection: error instanceof Refusal ? error.rejection : failed(model, type, error) };
  }
}

function rootPatch(value: unknown) {
  return [{ op: "replace", path: "", value }] as const;
}

/** A state from elsewhere, parsed and derived once for each object. */
export function adopt(model: PageModel, given: unknown): Adopted {
  if (!isContainer(given)) return { fault: { message: "it is not an object" } };
  let adopted = model.adopted.get(given);
  if (adopted === undefined) {
    try {
      adopted = settle(model, given);
    } catch (error) {
      report(model, "unknown", error);
      adopted = { fault: { message: "a derived field could not be computed" } };
    }
    model.adopted.set(given, adopted);
    if (adopted.state !== undefined) model.adopted.set(adopted.state, adopted);
  }
  return adopted;
}

function detached(update: unknown): unknown {
  try {
    return copyJson(update);
  } catch (error) {
    throw new Refusal("invalid_operation", typeIn(update) ?? "$replace", `The update is not JSON: ${String(error)}`);
  }
}

function typeIn(update: unknown): string | undefined {
  const type = isObject(update) && Object.hasOwn(update, "type") ? update["type"] : undefined;
  return typeof type === "string" ? type : undefined;
}

function resolve(model: PageModel, update: unknown, context: RunContext, mayBatch: boolean): Step {
  const { actor } = context;
  const type = typeIn(update);
  const fields = update as Readonly<Record<string, unknown>>;
  if (type === undefined || type === "$replace") return replaceBy(model, type === undefined ? update : fields["value"], actor);
  if (type === "$batch") return batch(model, mayBatch ? fields["operations"] : undefined, context);
  if (type === "$patch" && model.patches) return patchBy(model, fields["patch"], actor);
  const operation = model.operations.get(type);
  if (operation === undefined)
    throw new Refusal("unknown_operation", type, `There is no operation "${type}".`, {
      details: { known: [...model.operations.keys()] },
    });
  const { type: _, ...given } = fields;
  const { state: input, fault } = parse(operation.input, given);
  if (fault !== undefined) throw new Refusal("invalid_operation", type, fault.message, fault);
  checkPermission(operation, actor, type);
  return {
    operation: { type, ...input },
    perform: (base, part) => {
      if (base === null) throw new Refusal("no_state", type, `There is no ${model.name} yet.`);
      return apply(model, base, operation, input, context, part);
    },
  };
}

function replaceBy(model: PageModel, value: unknown, actor: Actor | undefined): Step {
  const type = "$replace";
  if (isContainer(value)) checkPermission(model.replace, actor, type);
  else throw new Refusal("invalid_operation", type, `Send a whole ${model.name}.`);
  return {
    operation: { type, value } as AnyOperation,
    isReplacement: true,
    perform: (base) => share(base, settled(model, type, value)) as object,
  };
}

function patchBy(model: PageModel, patch: unknown, actor: Actor | undefined): Step {
  const type = "$patch";
  checkPermission(model.replace, actor, type);
  return {
    operation: { type, patch } as AnyOperation,
    perform: (base) => {
      let value: unknown;
      try {
        value = applyTrusted(base, patch as Parameters<typeof applyTrusted>[1]);
      } catch (error) {
        throw new Refusal("conflict", type, String(error));
      }
      return share(base, settled(model, type, value as object)) as object;
    },
  };
}

function batch(model: PageModel, operations: unknown, context: RunContext): Step {
  const type = "$batch";
  if (!Array.isArray(operations) || operations.length === 0)
    throw new Refusal("invalid_operation", type, 'A batch needs "operations": a list of operations that are no batches.');
  const parts: Step[] = [];
  let approval: Refusal | undefined;
  for (const part of operations)
    try {
      parts.push(resolve(model, part, context, false));
    } catch (error) {
      if (!(error instanceof Refusal) || error.rejection.code !== "needs_approval") throw error;
      // The strictest answer counts: a later part may be forbidden.
      approval ??= error;
    }
  if (approval !== undefined) throw approval;
  return {
    operation: { type, operations: parts.map(({ operation }) => operation) } as AnyOperation,
    perform: (base) => {
      const state = parts.reduce<object | null>((before, { perform }, part) => perform(before, part), base);
      return share(base, state) as object;
    },
  };
}

function checkPermission({ allow, approve }: Permission, actor: Actor | undefined, type: string): void {
  if (actor === undefined) return;
  const { kind } = actor;
  if (allow?.includes(kind) === false)
    throw new Refusal("forbidden", type, `Actors of kind "${kind}" are not allowed to use "${type}".`, {
      details: { allowed: allow },
    });
  if (approve.includes(kind)) throw new Refusal("needs_approval", type, `"${type}" needs approval first.`);
}

function apply(
  model: PageModel,
  base: object,
  { type, apply: edit }: { readonly type: string; readonly apply: PageModelApply },
  input: unknown,
  context: RunContext,
  part: number | undefined,
): object {
  const drafting = new Drafting(base);
  const minting = new Minting(context, part, () => contentOf(base, { type, input }));
  let refused: Refusal | undefined;
  const given: ApplyContextLike = {
    actor: context.actor,
    reject(reason, message = `Refused: ${reason}`, details) {
      refused ??= new Refusal("refused", type, message, { reason, details });
    },
    id: (prefix, key) => minting.id(prefix, key),
    get now() {
      if (minting.now !== undefined) return minting.now;
      throw (refused ??= new Refusal("refused", type, `"${type}" reads the time of its submission, and has none.`, {
        reason: "needs_submission",
      }));
    },
  };
  try {
    const returned = edit(drafting.draft, input, given);
    if (refused !== undefined) throw refused;
    if (returned !== undefined && returned !== drafting.draft) throw new TypeError("apply must edit its draft and return nothing");
    return settled(model, type, drafting.finish(), base);
  } catch (error) {
    throw refused ?? error;
  } finally {
    drafting.ended = true;
  }
}

type PageModelApply = (draft: unknown, input: unknown, context: ApplyContextLike) => unknown;

function settled(model: PageModel, type: string, value: object, base?: object): object {
  if (value === base) return base;
  let result: Adopted;
  try {
    result = settle(model, value, base);
  } catch (error) {
    report(model, type, error);
    throw new Refusal("invalid_state", type, "A derived field could not be computed. Nothing was changed.");
  }
  if (result.fault !== undefined) throw new Refusal("invalid_state", type, result.fault.message, result.fault);
  if (!equal(base, result.state, 1)) return result.state;
  return base ?? result.state;
}

function failed(model: PageModel, type: string, error: unknown): Rejection {
  report(model, type, error);
  return rejection("failed", type, `"${type}" failed${model.development ? `: ${String(error)}` : ""}. Nothing was changed.`);
}

function report(model: PageModel, type: string, error: unknown): void {
  try {
    model.onFailure(error, { type });
  } catch {
    // A hook that throws must not break the reducer.
  }
}
