// The effect of the commonest updates, read off their patches alone: values of fields that gave way
// to other values. Nothing came, went or moved, so every name stays.

import { applyPatch, parsePointer, type Patch } from "../../patch/index.ts";
import { isContainer, isObject, own } from "../../json/container.ts";
import { NO_LIMITS } from "../limits/no-limits.ts";
import { isDerived } from "./derived.ts";
import { type Effect, noEffect, type Write } from "./effect.ts";
import type { ThingModel } from "./follow.ts";
import { type NamedState } from "./names.ts";
import { below, type Name } from "./spelling.ts";
import { type Shape, shapeOf } from "./shape.ts";

/** Undefined when the patches did anything else. */
export function editsOf(model: ThingModel, before: NamedState, patches: Patch): Effect | undefined {
  const root = shapeOf(model.looseSchema);
  const sets = new Map<Name, Write>();
  for (const step of patches) {
    const tokens = parsePointer(step.path);
    if (isDerived(model.derive, tokens)) continue;
    if (step.op !== "replace" || isContainer(step.value)) return undefined;
    const place = placeOf(root, before, tokens);
    if (place === undefined) return undefined;
    const write: Write = { before: sets.get(place.name)?.before ?? place.value, after: step.value, born: false };
    if (write.before === write.after) sets.delete(place.name);
    else sets.set(place.name, write);
  }
  const applied = applyPatch(before.state, patches, { inverse: false, limits: NO_LIMITS });
  if (!applied.ok) return undefined;
  return { ...noEffect(before), sets, after: { state: applied.document, names: before.names }, patches };
}

/** A field of an object that holds a value without parts. */
function placeOf(
  root: Shape,
  { state, names }: NamedState,
  tokens: readonly string[],
): { readonly name: Name; readonly value: unknown } | undefined {
  let name: Name = "";
  let shape = root;
  let value = state;
  for (const [depth, token] of tokens.entries()) {
    if (Array.isArray(value)) {
      const index = Number(token);
      const item = names.itemOf(name, index);
      if (item === undefined || shape.isTuple || depth === tokens.length - 1) return undefined;
      name = item;
      shape = shape.items();
      value = value[index];
    } else if (isObject(value)) {
      name = below(name, token);
      shape = shape.key(token).shape;
      value = own(value, token);
    } else return undefined;
  }
  return tokens.length === 0 || value === undefined || isContainer(value) ? undefined : { name, value };
}
