// Which things an effect touched, as names and as pointers of a state.

import { formatPointer, parsePointer } from "../../patch/index.ts";
import { isContainer, isObject, own } from "../../json/container.ts";
import type { Effect } from "./effect.ts";
import type { ThingModel } from "./follow.ts";
import { locate, type NamedState } from "./names.ts";
import { below, keysOf, type Name, ownerOf } from "./spelling.ts";
import { shapeOf } from "./shape.ts";

/**
 * The things that were there before and were written to, removed, moved, or had something put in,
 * removed or ordered in a list of theirs. Each once.
 */
export function touchedThings(model: ThingModel, effect: Effect): readonly Name[] {
  const { before, sets, born, removed, moved, ordered, values } = effect;
  const places = [
    ...sets.keys(),
    ...born.map(({ list }) => list),
    ...[...removed].flatMap(([name, list]) => (list === undefined ? [] : [name])),
    ...moved.keys(),
    ...[...moved.values()].map(({ to }) => to),
    ...ordered,
    ...values.keys(),
  ];
  const things = places.map((place) => thingOf(model, before, place));
  return [...new Set(things.filter((name) => name !== undefined))];
}

/**
 * The thing that a place belongs to: a list item, a value of a record, or the root. Undefined when
 * there is no such thing in the state.
 */
export function thingOf(model: ThingModel, named: NamedState, place: Name): Name | undefined {
  const owner = ownerOf(place);
  const tokens = locate(named, owner);
  if (tokens === undefined) return undefined;
  let thing = owner;
  let shape = shapeOf(model.looseSchema);
  for (const token of tokens) shape = typeof token === "number" ? shape.items() : shape.key(token).shape;
  let name = owner;
  let value: unknown = tokens.reduce<unknown>((held, token) => childOf(held, token), named.state);
  for (const key of keysOf(place)) {
    const { shape: inner, record } = shape.key(key);
    name = below(name, key);
    value = childOf(value, key);
    if (record && isContainer(value)) thing = name;
    shape = inner;
  }
  return thing;
}

/** The thing, or the place within one, that a JSON Pointer leads to. */
export function nameAt(model: ThingModel, named: NamedState, pointer: string): Name | undefined {
  let name: Name = "";
  let shape = shapeOf(model.looseSchema);
  let value = named.state;
  for (const token of parsePointer(pointer)) {
    if (Array.isArray(value) && !shape.isTuple) {
      const item = named.names.itemOf(name, Number(token));
      if (item === undefined) return undefined;
      name = item;
      shape = shape.items();
    } else {
      name = below(name, token);
      shape = shape.key(token).shape;
    }
    value = childOf(value, token);
    if (value === undefined) return undefined;
  }
  return name;
}

/** The JSON Pointer of a thing, or of a place within one; undefined when it is not there. */
export function pointerTo(named: NamedState, name: Name): string | undefined {
  const tokens = locate(named, name);
  return tokens === undefined ? undefined : formatPointer(tokens);
}

function childOf(value: unknown, token: string | number): unknown {
  if (Array.isArray(value)) return value[Number(token)];
  return isObject(value) ? own(value, String(token)) : undefined;
}
