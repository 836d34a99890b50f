// Input is copied once. So a state shares no object with its caller, and contains JSON only.
// Core's `copyJson` is stricter: it has limits, and refuses keys that an event may carry (a RAW
// event may hold a serialized LangChain object).

import { isRecord, PROTO } from "@opstate/core/json";

const MAX_DEPTH = 256;

/** Why a value is no JSON (the message), and where inside it. */
export class NotJson extends Error {
  readonly path: string[] = [];
}

/**
 * A detached copy; a member that is undefined is absent, as in JSON.stringify. Throws {@link
 * NotJson}.
 */
export function detachJson(value: unknown, depth = MAX_DEPTH): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new NotJson(`is ${value}, which JSON cannot hold`);
  }
  if (typeof value !== "object")
    throw new NotJson(`is ${value === undefined ? "undefined" : `a ${typeof value}`}, not JSON`);
  if (depth === 0) throw new NotJson(`is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (let index = 0; index < value.length; index++) copy.push(copyChild(value[index], String(index), depth));
    return copy;
  }
  if (!isRecord(value)) throw new NotJson("is an instance of a class, not plain JSON");
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === PROTO) throw new NotJson(`has a key "${PROTO}"`);
    const child = value[key];
    if (child !== undefined) copy[key] = copyChild(child, key, depth);
  }
  return copy;
}

function copyChild(value: unknown, key: string, depth: number): unknown {
  try {
    return detachJson(value, depth - 1);
  } catch (error) {
    if (error instanceof NotJson) error.path.unshift(key);
    throw error;
  }
}

/**
 * `next`, with every part that equals its counterpart in `previous` replaced by that. Equal values
 * give `previous` itself. Lists are compared from both ends (core's `shareByPlace` compares place
 * by place): between two snapshots, items come and go.
 */
export function shareFromEnds<T>(previous: unknown, next: T): T {
  // Only JSON meets JSON here, so equal values are values of the same type.
  return shared(previous, next) as T;
}

function shared(previous: unknown, next: unknown): unknown {
  if (
    previous === next ||
    typeof previous !== "object" ||
    typeof next !== "object" ||
    previous === null ||
    next === null
  )
    return next;
  if (Array.isArray(next)) return Array.isArray(previous) ? sharedArray(previous, next) : next;
  if (Array.isArray(previous)) return next;
  const before = previous as Record<string, unknown>;
  const after = next as Record<string, unknown>;
  const keys = Object.keys(after);
  let same = keys.length === Object.keys(before).length;
  let result: Record<string, unknown> | undefined;
  for (const key of keys) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    const value = shared(old, after[key]);
    if (value !== old) same = false;
    if (value !== after[key]) (result ??= { ...after })[key] = value;
  }
  return same ? previous : (result ?? next);
}

/**
 * Items are compared from both ends, so that one that came or went does not cost the others their
 * identity.
 */
function sharedArray(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const length = Math.min(previous.length, next.length);
  const moved = next.length - previous.length;
  let result: unknown[] | undefined;
  const take = (index: number, old: unknown): boolean => {
    const value = shared(old, next[index]);
    if (value !== next[index]) (result ??= [...next])[index] = value;
    return value === old;
  };
  let start = 0;
  while (start < length && take(start, previous[start])) start++;
  if (start === length && moved === 0) return previous;
  let end = next.length;
  while (end > start && end - moved > start && take(end - 1, previous[end - 1 - moved])) end--;
  for (let index = start + 1; index < end - 1; index++) take(index, previous[index]);
  return result ?? next;
}
