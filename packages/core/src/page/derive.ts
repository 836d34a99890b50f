// Derived fields, computed in each container that a rule names and that is another than before.
// Rules that read one another are run until nothing changes.

import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { copied } from "./identity.ts";
import { copyJsonOnPage, keysOf, shallow } from "./json.ts";
import type { PageRule } from "./model.ts";

/**
 * `state` with its derived fields; the same one when they are as they must be. `onlyAbsent`: those
 * that are there stay as they are.
 */
export function deriveAll(
  rules: readonly PageRule[],
  base: object | undefined,
  state: unknown,
  onlyAbsent = false,
): unknown {
  let result = state;
  for (let round = 0; round <= rules.length; round++) {
    const before = result;
    for (const rule of rules) result = visit(rule, base, result, 0, onlyAbsent);
    if (result === before || rules.length < 2) return result;
  }
  throw new Error("derive never ends");
}

function visit(rule: PageRule, before: unknown, after: unknown, depth: number, onlyAbsent: boolean): unknown {
  if (before === after || !isContainer(after)) return after;
  const token = rule.container[depth];
  if (token === undefined)
    return withParts(after, {}, [rule.field], (old) => {
      if (onlyAbsent && old !== undefined) return old;
      const value = rule.compute(after);
      return equal(value, old) ? old : copyJsonOnPage(value);
    });
  const keys = token === "*" ? keysOf(after) : [token];
  return withParts(after, before, keys, (value, old) => visit(rule, old, value, depth + 1, onlyAbsent));
}

/**
 * A container with what `partOf` makes of its parts; the same one when they stay as they are. Of
 * several, items that the earlier list has too stay: all are under one rule.
 */
export function withParts(
  after: Container,
  before: unknown,
  keys: readonly PropertyKey[],
  partOf: (value: unknown, old: unknown, key: PropertyKey) => unknown,
): Container {
  const old = isContainer(before) ? before : ({} as Container);
  const known = new Set(keys.length > 1 && Array.isArray(old) ? old : []);
  let result = after;
  for (const key of keys) {
    const value = after[key];
    const part = known.has(value) ? value : partOf(value, old[key], key);
    if (part === value) continue;
    if (result === after) result = copied(shallow(after), after);
    result[key] = part;
  }
  return result;
}
