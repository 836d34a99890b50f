// What a page changed in its copy of a state.
//
// Invariants:
// - A member that the page left out was not changed, at any depth.
// - Items of a list are the same where they have the same id. Without ids, those at one place are,
//   when the list has as many items as before and neither item is found elsewhere.
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
  const counterpart = counterparts(page, items);
  const ruled = below(rules, "*");
  const list = page.map((item, index) => completed(item, counterpart(item, index), ruled));
  const isSame = base === items && list.length === items.length && list.every((item, index) => item === items[index]);
  return isSame ? base : list;
}

/** The item that an item of the page was before, if it is found. */
function counterparts(page: readonly unknown[], items: readonly unknown[]): (item: unknown, index: number) => unknown {
  const idKey = idKeyOf(items.find(isObject));
  const idOf = (item: unknown) => (idKey !== undefined && isObject(item) ? item[idKey] : undefined);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const hasIds = byId.size === items.length && !byId.has(undefined);
  if (hasIds) return (item) => byId.get(idOf(item));
  const texts = new Map(items.map((item) => [JSON.stringify(item), item]));
  const shown = new Set(page.map((item) => JSON.stringify(item)));
  return (item, index) => {
    const same = texts.get(JSON.stringify(item));
    if (same !== undefined || page.length !== items.length) return same;
    return shown.has(JSON.stringify(items[index])) ? undefined : items[index];
  };
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
