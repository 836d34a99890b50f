// How deep an edit makes a state: the depth of the place plus the depth of the new value. The state
// itself is not walked.

import { parsePointer, type PatchOperation } from "../patch/index.ts";
import { deeperThan } from "../json/equal.ts";
import type { Edited } from "./draft/draft.ts";
import type { JsonLimits } from "./limits.ts";
import type { Model } from "./model.ts";
import { rejection } from "./reject.ts";
import type { Rejection } from "./rejection.ts";

/**
 * Levels that a stored state may have at least, whatever its definition says: a state that was
 * accepted once is accepted again.
 */
const STORED_LEVELS = 512;

/** `{ type: "$patch", patch: [{ op, path, value }] }` */
const BUILT_IN_LEVELS = 3;

/**
 * The limits of a built-in, which has levels around its value. How deep the state becomes is
 * checked when it is applied.
 */
export function builtInLimits(limits: JsonLimits): JsonLimits {
  return { ...limits, depth: limits.depth + BUILT_IN_LEVELS };
}

/**
 * The limits of a state that was accepted before, perhaps under other limits: a walk must not
 * overflow the stack.
 */
export function storedLimits({ limits }: Pick<Model, "limits">): JsonLimits {
  return { depth: Math.max(STORED_LEVELS, limits.state.depth), nodes: Infinity, bytes: Infinity };
}

/** The refusal of an edit that makes a state deeper than its limit, and deeper than it was. */
export function depthRejection(
  { limits }: Model,
  type: string,
  base: object | null,
  { state, patches }: Edited,
): Rejection | undefined {
  const { depth } = limits;
  const found = patches.find((operation, index) => mayReach(operation, index === patches.length - 1, state, depth));
  // Rare, so the whole state may be walked: it may have been as deep before.
  if (found === undefined || !deeperThan(state, Math.max(depth, depthOf(base)))) return undefined;
  return rejection("too_large", type, `The result would be nested deeper than ${depth} levels.`, { path: found.path });
}

/**
 * Whether an operation of a patch that leads to `state` may have put something below the deepest
 * level. `isLast`: its path is a path in `state`.
 */
function mayReach(operation: PatchOperation, isLast: boolean, state: object, depth: number): boolean {
  switch (operation.op) {
    case "add":
    case "replace":
      return isDeep(operation.value, depth - levelsOf(operation.path));
    case "move":
    case "copy": {
      const levels = levelsOf(operation.path);
      return levels > levelsOf(operation.from) && (!isLast || isDeep(valueAt(state, operation.path), depth - levels));
    }
    default:
      return false;
  }
}

function isDeep(value: unknown, levels: number): boolean {
  return typeof value === "object" && value !== null && deeperThan(value, Math.max(0, levels));
}

/** A pointer has a token for each of its slashes. */
function levelsOf(pointer: string): number {
  let levels = 0;
  for (let at = pointer.indexOf("/"); at >= 0; at = pointer.indexOf("/", at + 1)) levels += 1;
  return levels;
}

function valueAt(state: object, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(
    (value, token) => (value as Readonly<Record<string, unknown>>)[token],
    state,
  );
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depthOf(child));
  return deepest + 1;
}
