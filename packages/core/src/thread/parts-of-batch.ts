// The things that each part of a batch touches (law 10). A batch as a whole may touch the same
// things on two states while its parts change them with one another:
//
//   [{ set /0 to "x" }, { set /1 to "y" }]     on [A B]: A is "x", B is "y"
//                                              on [B A]: B is "x", A is "y"
//
// Or a part writes into what a part before it created, as that has the id of a thing that is gone.

import type { Model } from "../engine/model.ts";
import type { AnyOperation } from "../engine/operation.ts";
import { run } from "../engine/run.ts";
import type { Source } from "../engine/source.ts";
import { type Name, type NamedState, sourceText, trace } from "../engine/things/index.ts";
import type { Accepted } from "../engine/transition.ts";
import type { Actor } from "../engine/actor.ts";
import type { Patch } from "../patch/index.ts";
import { mayRetarget } from "./submitted-things.ts";

/** By part of a batch, the things that were there before that part and that it touched. */
export type TouchedByPart = readonly (readonly Name[])[];

export interface PartsRun {
  readonly step: Accepted<unknown, AnyOperation>;
  readonly touched: TouchedByPart;
}

/** Whether an operation is a batch of several parts. */
export function hasParts(operation: AnyOperation): boolean {
  return partsOf(operation).length > 1;
}

/**
 * Runs a batch on a state. Undefined when it is refused, or does not say what each part does: its
 * parts cancel each other out, or the state was repaired first. `model` permits it.
 */
export function runByParts(
  model: Model,
  on: NamedState,
  operation: AnyOperation,
  { actor, source }: { readonly actor: Actor; readonly source: Source },
): PartsRun | undefined {
  const made: Patch[] = [];
  const step = run(model, on.state, operation, { actor, source, onPart: (patches) => made.push(patches) });
  if (!step.accepted) return undefined;
  const touched = touchedByPart(model, on, made, step, source);
  return touched === undefined ? undefined : { step, touched };
}

/** `made`: the patches of each part. Undefined: they are not what the whole did. */
export function touchedByPart(
  model: Model,
  on: NamedState,
  made: readonly Patch[],
  { operation, patches }: Pick<Accepted<unknown, AnyOperation>, "operation" | "patches">,
  source: Source,
): TouchedByPart | undefined {
  const parts = partsOf(operation);
  const total = made.reduce((sum, { length }) => sum + length, 0);
  if (total !== patches.length || made.length !== parts.length) return undefined;
  let named = on;
  return made.map((step, index) => {
    const part = parts[index] ?? operation;
    // What a part creates has a name of that part: another part may create more, or less.
    const origin = { source: `${sourceText(source)} part ${index}`, operation: part };
    const { after, touched } = trace(model, named, step, origin);
    named = after;
    return touched;
  });
}

/**
 * The things that a part of a batch touches now and did not touch then. A part with `retarget` may
 * touch others.
 */
export function strayedParts(
  model: Model,
  operation: AnyOperation,
  then: TouchedByPart,
  now: TouchedByPart,
): readonly Name[] {
  const parts = partsOf(operation);
  const others = now.flatMap((touched, index) => {
    const part = parts[index];
    if (part !== undefined && mayRetarget(model, part)) return [];
    return touched.filter((name) => then[index]?.includes(name) !== true);
  });
  return [...new Set(others)];
}

function partsOf({ type, operations }: AnyOperation & { readonly operations?: unknown }): readonly AnyOperation[] {
  return type === "$batch" && Array.isArray(operations) ? (operations as AnyOperation[]) : [];
}
