// Derived fields, computed in each container that a rule names and that is another than before.
// Rules that read one another are run until nothing changes.

import type { DeriveRule } from "../engine/derive.ts";
import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { copied } from "./identity.ts";
import { copyJson, keysOf, shallow } from "./json.ts";

/**
 * `state` with its derived fields; the same one when they are as they must be. `onlyAbsent`: those
 * that are there stay as they are.
 */
export function deriveAll(
  rules: readonly DeriveRule[],
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
  throw new Error("derived fields in a circle");
}

function visit(rule: DeriveRule, before: unknown, after: unknown, depth: number, onlyAbsent: boolean): unknown {
  if (before === after || !isContainer(after)) return after;
  const token = rule.container[depth];
  if (token === undefined) {
    const old = after[rule.field];
    if (onlyAbsent && old !== undefined) return after;
    const value = rule.compute(after);
    return equal(value, old) ? after : write(after, after, rule.field, copyJson(value));
  }
  const old = isContainer(before) ? before : undefined;
  const known = token === "*" && Array.isArray(old) ? new Set<unknown>(old) : undefined;
  let result = after;
  for (const key of token === "*" ? keysOf(after) : [token]) {
    const value = after[key];
    const next = known?.has(value) === true ? value : visit(rule, old?.[key], value, depth + 1, onlyAbsent);
    if (next !== value) result = write(result, after, key, next);
  }
  return result;
}

/** `container`: the original, or a copy that was made of it before. */
export function write(container: Container, original: Container, key: PropertyKey, value: unknown): Container {
  const copy = container === original ? copied(shallow(original), original) : container;
  copy[key] = value;
  return copy;
}
