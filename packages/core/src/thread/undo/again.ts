// One kept commit on another line: its outcome there.
//
//   the line as it was     S ──── c ───> S'     R = what the log says that c did
//                                               s = what c does on S by today's code
//   another line           T ──── c ───> T'     t = what c does on T by today's code
//
//   s = R, in the same places of its lists, so today's code does what it did:
//     t does the same to the same things         recorded: t is used
//     t gives them other values                  recomputed: t is used
//     t would touch other things, or more, or
//     bear something else; or a part of a
//     batch would touch another's things         carried: R is done to its own things on T
//     t is refused, or does less                 dependent
//   s is not R, because the code changed since, because c was merged to where its code does more
//   than it did on its branch, or because R is the part of what c did at first (F) that was done
//   when c was done again:
//     t does F                                   recorded: t is used
//     t does R                                   recorded: R is done to its own things on T
//     both are refused, and F can be done        recorded: F is done to its own things on T
//     s and t do the same, or both are refused   recorded: R is done to its own things on T
//     else                                       dependent
//
// Where the definition lets an operation retarget, t is used whenever it is accepted. A replacement
// is always carried, since it is not known which things were intended. Of a replacement, and of
// what both s and t refuse, no run says which ids another state would give: where another thing has
// an id by then that R gave, R cannot be done. What R cannot be done to (see `carry`) is a
// dependent. What R only removed, and T does not have, is done already. A commit that had no effect
// at first (an approval may have none) has none on T: where it would do something there, it is
// carried as the nothing that it was. One that lost its things since does nothing to others.
//
// Long because each row of the table has its function.

import type { Actor } from "../../engine/actor.ts";
import type { Model } from "../../engine/model.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { run } from "../../engine/run.ts";
import type { Source } from "../../engine/source.ts";
import type { Transition } from "../../engine/transition.ts";
import {
  carry,
  type CarryFault,
  type CarryOptions,
  compareEffects,
  type Effect,
  effectOf,
  isEdits,
  isEmpty,
  isSatisfied,
  listsPlacedOtherwise,
  locate,
  type Name,
  type NamedState,
  noEffect,
  replaces,
  sourceText,
  underived,
  withNames,
} from "../../engine/things/index.ts";
import { equal } from "../../json/equal.ts";
import type { Patch } from "../../patch/index.ts";
import { hasParts, type PartsRun, strayedParts } from "../things/parts-of-batch.ts";

/** What a commit carries out, as `originOf` reads it. */
export interface Work {
  readonly operation: AnyOperation;
  readonly actor: Actor;
  readonly source: Source;
}

export type Outcome =
  /** `effect` leads from T to T'. `patches`: without derived fields. */
  | { readonly kind: "recorded" | "recomputed" | "carried"; readonly effect: Effect; readonly patches: Patch }
  /** There is nothing to do on T. */
  | { readonly kind: "nothing" }
  | { readonly kind: "dependent"; readonly found: Found };

/** What stands in the way: what the operation would do now. */
export type Found =
  | { readonly how: "refused"; readonly rejection: Rejection }
  | { readonly how: "less" | "other"; readonly effect: Effect; readonly fault?: Fault }
  /** Its own things cannot take what was recorded. */
  | { readonly how: "unfit"; readonly fault: Fault };

export type Fault =
  | { readonly why: CarryFault; readonly thing: Name }
  | { readonly why: "schema"; readonly rejection: Rejection };

/**
 * Does the work of a commit again on another line. `model` has every permission. `first`: what it
 * did at first, where it did a part of that since, because the rest of its things was undone.
 */
export function again(model: Model, work: Work, recorded: Effect, to: NamedState, first: Effect = recorded): Outcome {
  const { operation } = work;
  if (isEmpty(recorded)) return isEmpty(first) ? noneAgain(model, work, to) : backAgain(model, first, to);
  if (isSatisfied(recorded, to)) return { kind: "nothing" };
  if (replaces(operation)) return wholeOrPart(model, recorded, to, first, "carried");
  if (isBornAlready(recorded, to)) return restOf(model, recorded, to);
  const there = perform(model, work, to);
  if (isRetargeted(model, operation) && there.ok) return kept("recomputed", model, recorded, there);
  const { step: here, parts } = runParts(model, work, recorded.before);
  if (!isAsRecorded(model, work, recorded, here)) {
    if (there.ok && isWholeAgain(recorded, there.effect, first)) return kept("recorded", model, first, there);
    const here = perform(model, work, recorded.before);
    if (!there.ok) {
      if (here.ok) return { kind: "dependent", found: refusedBy(there.rejection) };
      return wholeOrPart(model, recorded, to, first, "recorded");
    }
    const alike = here.ok && isSame(here.effect, there.effect);
    if (alike || isSame(recorded, there.effect))
      return carried(model, recorded, to, "recorded", { instead: there.effect });
    return { kind: "dependent", found: { how: "other", effect: there.effect } };
  }
  if (!there.ok) return { kind: "dependent", found: refusedBy(there.rejection) };
  const { likeness } = compareEffects(recorded, there.effect);
  const strays =
    likeness === "other_values" &&
    here.accepted &&
    hasParts(operation) &&
    strayedParts(model, { on: recorded.before, step: here, source: work.source, parts }, there.run).length > 0;
  switch (strays ? "other_things" : likeness) {
    case "same":
    case "other_values":
      return kept(likeness === "same" ? "recorded" : "recomputed", model, recorded, there);
    case "less":
      return { kind: "dependent", found: { how: "less", effect: there.effect } };
    case "other_content":
    case "other_things":
      if (isWholeAgain(recorded, there.effect, first)) return kept("recorded", model, first, there);
      return carried(model, recorded, to, "carried", { instead: there.effect });
  }
}

/** Whether a change that was done in part since would do all of it now. */
function isWholeAgain(recorded: Effect, there: Effect, first: Effect): boolean {
  return first !== recorded && isSame(first, there);
}

function isSame(one: Effect, other: Effect): boolean {
  return compareEffects(one, other).likeness === "same";
}

/**
 * What no run decides on is done as it was at first, where possible: what it replaced or removed
 * may be back. Else the part is done that was done since.
 */
function wholeOrPart(
  model: Model,
  recorded: Effect,
  to: NamedState,
  first: Effect,
  kind: "recorded" | "carried",
): Outcome {
  const whole = first === recorded ? undefined : carried(model, first, to, kind, { givesIds: true });
  return whole?.kind === kind ? whole : carried(model, recorded, to, kind, { givesIds: true });
}

/**
 * Whether something that a commit created is there. A thing that was merged again, after its merge
 * was taken back, has one name: it comes back with the first merge.
 */
function isBornAlready({ born }: Effect, to: NamedState): boolean {
  return born.some(({ name }) => locate(to, name) !== undefined);
}

function restOf(model: Model, recorded: Effect, to: NamedState): Outcome {
  const outcome = carried(model, recorded, to, "recorded");
  return outcome.kind === "recorded" && isEmpty(outcome.effect) ? { kind: "nothing" } : outcome;
}

/**
 * The patches of a commit that did the same to the same things, where carrying its effect would
 * give other ones: it may have put a thing among other neighbours.
 */
export function exactPatches(
  model: Model,
  recorded: Effect,
  to: NamedState,
  { effect, patches }: { readonly effect: Effect; readonly patches: Patch },
): Patch | undefined {
  // Edits of values have no place among neighbours.
  if (isEdits(recorded) && isEdits(effect)) return undefined;
  const done = carry(model, recorded, to, { anyway: true });
  if (!done.ok) return patches;
  if (equal(done.patches, patches, Infinity)) return undefined;
  const put = putPatches(model, recorded, to, done.patches, done.after.names);
  return put.ok && equal(put.effect.after.state, effect.after.state, Infinity) ? undefined : patches;
}

/** Whether today's code does what a commit did. */
function isAsRecorded(
  model: Model,
  { operation, source }: Work,
  recorded: Effect,
  here: Transition<unknown, AnyOperation>,
): boolean {
  if (!here.accepted) return false;
  const [now, then] = [here.patches, recorded.patches].map((patches) => underived(model.derive, patches));
  if (equal(now, then, Infinity)) return true;
  const done = effectOf(model, recorded.before, here.patches, { source: sourceText(source), operation });
  const effect = withRecordedNames(done, recorded);
  return compareEffects(recorded, effect).likeness === "same" && listsPlacedOtherwise(recorded, effect).length === 0;
}

/** The recorded changes, done wherever their things are, whatever their values are now. */
export function keep(model: Model, recorded: Effect, to: NamedState): Outcome {
  const done = carry(model, recorded, to, { anyway: true });
  if (!done.ok) return unfit(done);
  const put = putPatches(model, recorded, to, done.patches, done.after.names);
  return put.ok ? { kind: "carried", effect: put.effect, patches: done.patches } : unfit({ why: "schema", ...put });
}

/** A commit that had lost its things does to them what it did at first, where they are back. */
function backAgain(model: Model, first: Effect, to: NamedState): Outcome {
  const outcome = carried(model, first, to, "carried");
  return outcome.kind === "carried" && !isEmpty(outcome.effect) ? outcome : { kind: "nothing" };
}

/** A commit without an effect has none again. */
function noneAgain(model: Model, work: Work, to: NamedState): Outcome {
  if (replaces(work.operation)) return { kind: "nothing" };
  const there = perform(model, work, to);
  if (!there.ok || isEmpty(there.effect)) return { kind: "nothing" };
  return { kind: "carried", effect: noEffect(to), patches: [] };
}

type Performed =
  | { readonly ok: true; readonly effect: Effect; readonly patches: Patch; readonly run: PartsRun }
  | { readonly ok: false; readonly rejection: Rejection };

/** The operation by today's code, as its author's. */
function perform(model: Model, work: Work, on: NamedState): Performed {
  const { operation, source } = work;
  const { step, parts } = runParts(model, work, on);
  if (!step.accepted) return { ok: false, rejection: step.rejection };
  const effect = effectOf(model, on, step.patches, { source: sourceText(source), operation });
  return {
    ok: true,
    effect: { ...effect, after: { ...effect.after, state: step.state } },
    patches: step.patches,
    run: { on, step, source, parts },
  };
}

function runParts(
  model: Model,
  { operation, actor, source }: Work,
  on: NamedState,
): { readonly step: Transition<unknown, AnyOperation>; readonly parts: readonly Patch[] } {
  const parts: Patch[] = [];
  const step = run(model, on.state, operation, { actor, source, onPart: (patches) => parts.push(patches) });
  return { step, parts };
}

function carried(
  model: Model,
  recorded: Effect,
  to: NamedState,
  kind: "recorded" | "carried",
  { instead, givesIds }: Pick<CarryOptions, "instead" | "givesIds"> = {},
): Outcome {
  const other = (fault: Fault): Outcome => ({
    kind: "dependent",
    found: instead === undefined ? { how: "unfit", fault } : { how: "other", effect: instead, fault },
  });
  const done = carry(model, recorded, to, { instead, givesIds });
  if (!done.ok) return other(done);
  const put = putPatches(model, recorded, to, done.patches, done.after.names);
  return put.ok
    ? { kind, effect: put.effect, patches: done.patches }
    : other({ why: "schema", rejection: put.rejection });
}

function kept(
  kind: "recorded" | "recomputed",
  model: Model,
  recorded: Effect,
  { effect, patches }: { readonly effect: Effect; readonly patches: Patch },
): Outcome {
  const named = withRecordedNames(effect, recorded);
  return { kind, effect: named, patches: underived(model.derive, patches) };
}

/**
 * Patches that do on a state what was recorded of another one: derived fields follow, and the
 * schema must hold. `names`: those after it, where they are known.
 */
export function putPatches(
  model: Model,
  recorded: Effect,
  to: NamedState,
  patches: Patch,
  names?: NamedState["names"],
): Put {
  const next = run(model, to.state, { type: "$patch", patch: patches }, {});
  if (!next.accepted) return { ok: false, rejection: next.rejection };
  const done = effectOf(model, to, patches, { source: "replayed", operation: { type: "replayed" } });
  const effect = withRecordedNames(done, recorded);
  const after = { state: next.state, names: names ?? withNames(effect, recorded.renamed).names };
  return { ok: true, effect: { ...effect, after, renamed: recorded.renamed } };
}

export type Put =
  | { readonly ok: true; readonly effect: Effect }
  | { readonly ok: false; readonly rejection: Rejection };

/** What an effect bore has the names that it had at first. */
function withRecordedNames(effect: Effect, recorded: Effect): Effect {
  const { births: matched } = compareEffects(recorded, effect);
  // A thing that is there has its name already.
  const births = new Map([...matched].filter(([, name]) => locate(effect.before, name) === undefined));
  if (births.size === 0) return effect;
  const born = effect.born.map((birth) => ({ ...birth, name: births.get(birth.name) ?? birth.name }));
  return { ...effect, born, after: withNames(effect, births) };
}

function unfit(fault: Fault): Outcome {
  return { kind: "dependent", found: { how: "unfit", fault } };
}

function refusedBy(rejection: Rejection): Found {
  return { how: "refused", rejection };
}

/** Whether the definition says that an operation may touch other things when it is done again. */
function isRetargeted(model: Model, { type, operations }: { readonly type: string; readonly operations?: unknown }) {
  if (type !== "$batch") return model.operations.get(type)?.retarget === true;
  return Array.isArray(operations) && operations.every((part: { type?: unknown }) => isRetargetedPart(model, part));
}

function isRetargetedPart(model: Model, { type }: { readonly type?: unknown }): boolean {
  return typeof type === "string" && model.operations.get(type)?.retarget === true;
}
