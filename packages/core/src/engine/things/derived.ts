// Derived fields are left out of what an operation did: they follow from the rest.

import { isObject } from "../../json/container.ts";
import type { DeriveRule } from "../derive.ts";
import { parsePointer, type Patch } from "../../patch/index.ts";
import type { Tokens } from "./names.ts";

type Rules = readonly Pick<DeriveRule, "container" | "field">[];

/** Whether a place is a derived field, or lies within one. */
export function isDerived(rules: Rules, tokens: Tokens): boolean {
  return rules.some(({ container, field }) => {
    if (tokens.length <= container.length || String(tokens[container.length]) !== field) return false;
    return container.every((token, index) => token === "*" || token === String(tokens[index]));
  });
}

/** Patches without what they did to derived fields. */
export function underived(rules: Rules, patches: Patch): Patch {
  return rules.length === 0 ? patches : patches.filter(({ path }) => !isDerived(rules, parsePointer(path)));
}

/** A value of a state without its derived fields; the same one when it has none. */
export function withoutDerived(rules: Rules, value: unknown, tokens: Tokens): unknown {
  const below = rules.filter(
    ({ container }) =>
      container.length >= tokens.length &&
      tokens.every((token, index) => container[index] === "*" || container[index] === String(token)),
  );
  return strip(below, value, tokens);
}

function strip(rules: Rules, value: unknown, tokens: Tokens): unknown {
  if (rules.length === 0) return value;
  if (Array.isArray(value)) return value.map((item, index) => strip(rules, item, [...tokens, index]));
  if (!isObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const below = [...tokens, key];
    if (!isDerived(rules, below)) kept[key] = strip(rules, value[key], below);
  }
  return kept;
}
