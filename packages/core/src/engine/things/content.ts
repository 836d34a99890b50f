// What a thing contains, so that it can be compared: without derived fields. Where another thing
// was moved into what was born, the name of that one stands for it.

import { isContainer, isObject } from "../../json/container.ts";
import { isDerived, withoutDerived } from "./derived.ts";
import type { ThingModel } from "./follow.ts";
import { locate, type NamedState, type Tokens, valueOf } from "./names.ts";
import { below, isBorn, type Name } from "./spelling.ts";

/** A value without derived fields. In what was born, names stand for what was moved into it. */
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

/**
 * What stands for a thing that was moved into one that was born: `{ $thing: <its name> }`. An
 * object of the data that looks like that has one more "$" in the content.
 */
const HOLE = "$thing";
const LIKE_A_HOLE = /^\$+thing$/;

/** The content of what was born, as a value: without the things that are moved into it later. */
export function withoutHoles(content: unknown): unknown {
  if (Array.isArray(content)) return content.filter((item) => !isHole(item)).map(withoutHoles);
  if (!isObject(content)) return content;
  const like = likeAHole(content);
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => [key === like ? key.slice(1) : key, withoutHoles(value)]),
  );
}

/** What stands at a place, without derived fields and the things that were moved into it. */
export function madeAt(model: ThingModel, named: NamedState, place: Name, moved: ReadonlyMap<Name, unknown>): unknown {
  const made = (name: Name, tokens: Tokens, value: unknown): unknown => {
    if (!isContainer(value)) return value;
    if (Array.isArray(value))
      return value.flatMap((item, index) => {
        const part = isContainer(item) ? named.names.itemOf(name, index) : undefined;
        if (part === undefined) return [item];
        return moved.has(part) ? [] : [made(part, [...tokens, index], item)];
      });
    const members = Object.entries(value).filter(([key]) => !isDerived(model.derive, [...tokens, key]));
    return Object.fromEntries(members.map(([key, inner]) => [key, made(below(name, key), [...tokens, key], inner)]));
  };
  return made(place, locate(named, place) ?? [], valueOf(named, place));
}

function isHole(value: unknown): boolean {
  return isObject(value) && likeAHole(value) === HOLE;
}

/** The only key of an object, when it is that of a hole, or would be without some "$". */
function likeAHole(value: Readonly<Record<string, unknown>>): string | undefined {
  const [key, ...others] = Object.keys(value);
  return key !== undefined && others.length === 0 && LIKE_A_HOLE.test(key) ? key : undefined;
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
  const like = likeAHole(value);
  for (const key of Object.keys(value)) {
    const inner = [...tokens, key];
    if (isDerived(model.derive, inner)) continue;
    kept[key === like ? `$${key}` : key] = withHoles(model, named, below(name, key), inner, value[key]);
  }
  return kept;
}
