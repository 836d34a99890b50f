// What a thing holds, so that it can be compared: without derived fields, and with the name of what
// was moved into it in the place of that.

import { isContainer, isObject } from "../../json/container.ts";
import { isDerived, withoutDerived } from "./derived.ts";
import type { ThingModel } from "./follow.ts";
import { locate, type NamedState, type Tokens, valueOf } from "./names.ts";
import { below, isBorn, type Name } from "./spelling.ts";

/** A value without derived fields, and with names for things that are not named by the place. */
export function contentOf(
  model: ThingModel,
  named: NamedState,
  name: Name,
  tokens: Tokens | undefined = locate(named, name),
): unknown {
  const value = valueOf(named, name);
  if (tokens === undefined || !isContainer(value)) return value;
  return isBorn(name) ? withHoles(model, named, name, tokens, value) : withoutDerived(model.derive, value, tokens);
}

/** What stands for a thing that was moved into one that was born. */
const HOLE = "$thing";

export function holeOf(value: unknown): Name | undefined {
  const name = isObject(value) ? value[HOLE] : undefined;
  return typeof name === "string" && Object.keys(value as object).length === 1 ? name : undefined;
}

function withHoles(model: ThingModel, named: NamedState, name: Name, tokens: Tokens, value: unknown): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value))
    return value.map((item, index) => {
      const part = isContainer(item) ? named.names.itemOf(name, index) : undefined;
      if (part === undefined) return item;
      return part.startsWith(`${name}#`) ? withHoles(model, named, part, [...tokens, index], item) : { [HOLE]: part };
    });
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const inner = [...tokens, key];
    if (!isDerived(model.derive, inner)) kept[key] = withHoles(model, named, below(name, key), inner, value[key]);
  }
  return kept;
}
