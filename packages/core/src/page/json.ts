// JSON as a page handles it: copied from its sender, shared with what was there before, read and
// copied along a pointer.

import { canonicalJson } from "../json/canonical.ts";
import { type Container, isContainer, isPlainContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { PROTO } from "../json/reserved-keys.ts";
import { copied } from "./identity.ts";

/** Throws when a value is not JSON. */
export function checkScalar(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  // JSON has no -0.
  if (Number.isFinite(value)) return (value as number) + 0;
  throw new TypeError(`${typeof value} is not JSON`);
}

/** Throws when a container is no plain object or array, or a key is not allowed. */
export function checkContainer(value: Container): void {
  if (!isPlainContainer(value) || Object.hasOwn(value, PROTO)) throw new TypeError(`${typeof value} is not JSON`);
}

export function emptyLike(container: object): Container {
  return (Array.isArray(container) ? [] : {}) as Container;
}

/** The keys, also those of absent items. */
export function keysOf(container: object): readonly PropertyKey[] {
  return Array.isArray(container) ? [...container.keys()] : Object.keys(container);
}

/**
 * A copy of JSON that shares nothing with it. Throws when it is not JSON. `copyJson` of the other
 * build counts depth and nodes too, which takes more bytes.
 */
export function copyJsonOnPage(value: unknown): unknown {
  if (!isContainer(value)) return checkScalar(value);
  checkContainer(value);
  const copy = emptyLike(value);
  for (const key of keysOf(value))
    if (value[key] !== undefined || Array.isArray(value)) copy[key] = copyJsonOnPage(value[key]);
  return copy;
}

export function shallow<T extends object>(container: T): T {
  return (Array.isArray(container) ? [...(container as unknown[])] : { ...container }) as T;
}

/**
 * `after` with the parts of `before` that it is equal to. Items of a list are matched by content,
 * each once: no container may be in two places. Parts of
 * `before` are where they were. It is for replacements, whose items move.
 */
export function shareOnPage(before: unknown, after: unknown): unknown {
  if (equal(before, after)) return before;
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  if (Array.isArray(before)) {
    const others = new Map<unknown, unknown>();
    for (const [index, item] of before.entries()) if (!equal(item, after[index])) others.set(canonicalJson(item), item);
    return (after as unknown as unknown[]).map((item, index) => {
      if (equal(before[index], item)) return before[index];
      const content = canonicalJson(item);
      const same = others.get(content) ?? item;
      others.delete(content);
      return same;
    });
  }
  const result: Container = {};
  for (const key of Object.keys(after)) result[key] = shareOnPage(before[key], after[key]);
  return copied(result, before);
}

export function tokensOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerOf(tokens: readonly PropertyKey[]): string {
  return tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
