// `test` operations before a delta: a client with another state refuses the delta, whatever applies
// patches there. They are for clients that do not read the version in the events' metadata, and do
// not prove the version.
//
// Invariants:
// - Each test holds on the state that the delta was made from.
// - They are few and small, whatever the delta carries.

import { formatPointer, parsePointer, type Patch, type PatchOperation } from "@opstate/core/json-patch";

/** The most tests before one delta, and the most of its operations that get one. */
const LIMIT = 8;
/** The longest string that a test compares. */
const TEXT_LIMIT = 200;

/**
 * Tests of the short values in `before` that `patch` overwrites, removes or inserts beside.
 */
export function deltaGuards(before: unknown, patch: Patch): Patch {
  const guards = new Map<string, PatchOperation>();
  for (const step of patch.slice(0, LIMIT)) {
    for (const path of step.op === "move" ? [step.from, step.path] : [step.path]) {
      const found = guardFor(before, path);
      if (found !== undefined) guards.set(found.path, { op: "test", ...found });
    }
  }
  return [...guards.values()].slice(0, LIMIT);
}

interface Guard {
  readonly path: string;
  readonly value: unknown;
}

/** A short value at `path`, or in the object there, or in the list item before it. */
function guardFor(state: unknown, path: string): Guard | undefined {
  const tokens = parsePointer(path);
  const parent = read(state, tokens.slice(0, -1));
  const last = tokens.at(-1);
  const here = shortValue(read(state, tokens), tokens);
  if (here !== undefined || last === undefined || !Array.isArray(parent)) return here;
  const previous = (last === "-" ? parent.length : Number(last)) - 1;
  return shortValue(parent[previous], [...tokens.slice(0, -1), previous]);
}

function shortValue(value: unknown, tokens: readonly (string | number)[]): Guard | undefined {
  if (isShort(value)) return { path: formatPointer(tokens), value };
  if (typeof value !== "object" || value === null) return undefined;
  const member = Object.entries(value)
    .slice(0, LIMIT)
    .find(([, inner]) => isShort(inner));
  return member && { path: formatPointer([...tokens, member[0]]), value: member[1] };
}

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length <= TEXT_LIMIT;
  return value === null || typeof value === "number" || typeof value === "boolean";
}

function read(state: unknown, tokens: readonly string[]): unknown {
  let value = state;
  for (const token of tokens) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) return undefined;
    value = Reflect.get(value, token);
  }
  return value;
}
