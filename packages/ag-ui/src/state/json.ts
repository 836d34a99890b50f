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
