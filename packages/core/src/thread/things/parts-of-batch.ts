// The things that each part of a batch touches (law 10). A batch as a whole may touch the same
// things on two states while its parts change them with one another:
//
//   [{ set /0 to "x" }, { set /1 to "y" }]     on [A B]: A is "x", B is "y"
//                                              on [B A]: B is "x", A is "y"
//
// Or a part writes into what a part before it created, as that has the id of a thing that is gone:
// then both may cancel each other out, as an addition and a removal do.

import type { Actor } from "../../engine/actor.ts";
import type { Model } from "../../engine/model.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import { run } from "../../engine/run.ts";
import type { Source } from "../../engine/source.ts";
import {
  compareEffects,
  effectOf,
  locate,
  type Name,
  type NamedState,
  sourceText,
  trace,
} from "../../engine/things/index.ts";
import type { Accepted } from "../../engine/transition.ts";
import type { Patch } from "../../patch/index.ts";
import { mayRetarget } from "./submitted-things.ts";

/** To follow a part costs a copy of the large containers that it writes to. */
const MOST_PARTS = 100;

/** A batch that was run on a state. */
export interface PartsRun {
  readonly on: NamedState;
  readonly step: Accepted<unknown, AnyOperation>;
  readonly source: Source;
  /** The patches of each part. */
  readonly parts: readonly Patch[];
}

/** Whether an operation is a batch of several parts. */
export function hasParts(operation: AnyOperation): boolean {
  return partsOf(operation).length > 1;
}

/** Runs a batch on a state. Undefined when it is refused. `model` permits it. */
export function runByParts(
  model: Model,
  on: NamedState,
  operation: AnyOperation,
  { actor, source }: { readonly actor: Actor; readonly source: Source },
): PartsRun | undefined {
  const parts: Patch[] = [];
  const step = run(model, on.state, operation, { actor, source, onPart: (patches) => parts.push(patches) });
  return step.accepted ? { on, step, source, parts } : undefined;
}

/**
 * The things that a part of a batch touches now, and did not touch then. A part with `retarget` may
 * touch others. Of many parts it is not looked for: they are to do the same as then.
 */
export function strayedParts(model: Model, then: PartsRun, now: PartsRun): readonly Name[] {
  const parts = partsOf(now.step.operation);
  if (!isByParts(then) || !isByParts(now)) return [];
  // Where they cancel each other out now, they touch nothing.
  if (parts.length > MOST_PARTS)
    return isSame(model, then, now) ? [] : touchedBy(model, now.step.patches.length > 0 ? now : then);
  const [before, today] = [touchedByPart(model, then), touchedByPart(model, now)];
  const others = today.flatMap((touched, index) => {
    const part = parts[index];
    if (part !== undefined && mayRetarget(model, part)) return [];
    return touched.filter((name) => before[index]?.includes(name) !== true);
  });
  return [...new Set(others)];
}

/** What a batch created and a later part of it wrote into. Of many parts it is not looked for. */
export function writtenIntoOwn(model: Model, now: PartsRun): readonly Name[] {
  const parts = partsOf(now.step.operation);
  if (!isByParts(now) || parts.length > MOST_PARTS) return [];
  const written = touchedByPart(model, now).flatMap((touched, index) => {
    const part = parts[index];
    return part !== undefined && mayRetarget(model, part) ? [] : touched;
  });
  return [...new Set(written)].filter((name) => locate(now.on, name) === undefined);
}

/** Not so where the state was repaired first. Parts that cancel each other out leave no patches. */
function isByParts({ step, parts }: PartsRun): boolean {
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  return (
    (total === step.patches.length || step.patches.length === 0) && parts.length === partsOf(step.operation).length
  );
}

/** By part, the things that were there before it and that it touched. */
function touchedByPart(model: Model, { on, step, source, parts }: PartsRun): readonly (readonly Name[])[] {
  const operations = partsOf(step.operation);
  let named = on;
  return parts.map((patches, index) => {
    const operation = operations[index] ?? step.operation;
    // What a part creates has a name of that part: another part may create more, or less.
    const origin = { source: `${sourceText(source)} part ${index}`, operation };
    const { after, touched } = trace(model, named, patches, origin);
    named = after;
    return touched;
  });
}

function isSame(model: Model, then: PartsRun, now: PartsRun): boolean {
  const [before, today] = [then, now].map(({ on, step, source }) =>
    effectOf(model, on, step.patches, { source: sourceText(source), operation: step.operation }),
  );
  return before !== undefined && today !== undefined && compareEffects(before, today).likeness === "same";
}

function touchedBy(model: Model, { on, step, source }: PartsRun): readonly Name[] {
  return trace(model, on, step.patches, { source: sourceText(source), operation: step.operation }).touched;
}

function partsOf({ type, operations }: AnyOperation & { readonly operations?: unknown }): readonly AnyOperation[] {
  return type === "$batch" && Array.isArray(operations) ? (operations as AnyOperation[]) : [];
}
