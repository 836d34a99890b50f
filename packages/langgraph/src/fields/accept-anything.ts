// The input schema of a field: it lets everything through to the reducer, which rejects and
// preserves.
//
// A schema that says no kills the run, and LangGraph parses one write several times. Held back is
// what would do harm before any reducer sees it: what destroys the checkpoint (a BigInt, a cycle),
// and the input of an agent that would bypass the reducer. Such an update counts as none.

import * as z from "zod";
import { isOverwrite } from "./overwrite.ts";

/** Deeper values are refused by the engine anyway; a cycle has no end. */
const MAX_DEPTH = 256;

/** A schema that accepts any `Update`, absent ones too. */
export function acceptAnything<Update>() {
  return z
    .custom<Update>()
    .transform((update) => (isStorable(update) && !isOverwrite(update) ? update : undefined))
    .optional();
}

/**
 * Whether a checkpoint can hold it, and can be read again: a function is no JSON, and as a whole
 * write it is stored as nothing.
 */
export function isStorable(value: unknown): boolean {
  try {
    return typeof value !== "function" && typeof value !== "symbol" && isJson(value, MAX_DEPTH);
  } catch {
    // A proxy or a getter that throws.
    return false;
  }
}

function isJson(value: unknown, depth: number): boolean {
  if (typeof value === "bigint" || depth === 0) return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((child) => isJson(child, depth - 1));
}
