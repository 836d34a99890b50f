// What a page changed in its copy of a state.
//
// Invariants:
// - A member that the page left out was not changed, at any depth.
// - Items of a list are the same where they have the same id. Without ids, where they are equal, or
//   at one place, when the list has as many items as before.
// - Derived fields are never changed by a page.

import type { AnyDefinition } from "@opstate/core";
import { idKeyOf, isObject } from "@opstate/core/json";
import { diff, type Patch } from "@opstate/core/json-patch";

type Rule = Pick<AnyDefinition["model"]["derive"][number], "container" | "field">;

/** The patch that leads from the state that the page began with to what it made of it. */
export function changesOf({ model }: AnyDefinition, base: unknown, page: unknown): Patch {
  return diff(base, completed(page, base, model.derive));
}

/** The page's value with all that it left out; `base` itself where nothing differs. */
function completed(page: unknown, base: unknown, rules: readonly Rule[]): unknown {
  if (Array.isArray(page)) return completedList(page, Array.isArray(base) ? base : [], base, rules);
  if (!isObject(page)) return page;
  const before = isObject(base) ? base : {};
  const members: [string, unknown][] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(page)])) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    const isKept = !Object.hasOwn(page, key) || isDerived(rules, key);
    const value = isKept ? old : completed(page[key], old, below(rules, key));
    if (value !== undefined) members.push([key, value]);
  }
  const isSame = isObject(base) && members.every(([key, value]) => Object.hasOwn(base, key) && base[key] === value);
  return isSame ? base : Object.fromEntries(members);
}

function completedList(
  page: readonly unknown[],
  items: readonly unknown[],
  base: unknown,
  rules: readonly Rule[],
): unknown {
  const before = counterparts(page, items);
  const ruled = below(rules, "*");
  const list = page.map((item, index) => completed(item, before[index], ruled));
  const isSame = base === items && list.length === items.length && list.every((item, index) => item === items[index]);
  return isSame ? base : list;
}

/** What each item of the page was before, if that is found. */
function counterparts(page: readonly unknown[], items: readonly unknown[]): readonly unknown[] {
  const idKey = idKeyOf(items.find(isObject));
  const idOf = (item: unknown) => (idKey !== undefined && isObject(item) ? item[idKey] : undefined);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const hasIds = byId.size === items.length && !byId.has(undefined);
  return hasIds ? page.map((item) => byId.get(idOf(item))) : alikeOrAtPlace(page, items);
}

/** By content, at the same place first; those that are left by their place. */
function alikeOrAtPlace(page: readonly unknown[], items: readonly unknown[]): readonly unknown[] {
  const texts = items.map((item) => JSON.stringify(item));
  const shown = page.map((item) => JSON.stringify(item));
  const places = new Map<string, number[]>();
  for (const [place, text] of texts.entries())
    if (text !== shown[place]) places.set(text, [place, ...(places.get(text) ?? [])]);
  const moved = shown.map((text, place) => (text === texts[place] ? place : places.get(text)?.pop()));
  const found = new Set(moved);
  const isComplete = page.length === items.length;
  return moved.map((place, index) => {
    if (place !== undefined) return items[place];
    return isComplete && !found.has(index) ? items[index] : undefined;
  });
}

function isDerived(rules: readonly Rule[], key: string): boolean {
  return rules.some(({ container, field }) => container.length === 0 && field === key);
}

/** The rules of what is under `key`, or in a list. */
function below(rules: readonly Rule[], key: string): readonly Rule[] {
  return rules.flatMap(({ container: [first, ...container], field }) =>
    first === "*" || first === key ? [{ container, field }] : [],
  );
}
