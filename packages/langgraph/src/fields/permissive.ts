// The input schema of a field: it lets everything through to the reducer, which rejects and preserves.
//
// A schema that says no kills the run, and LangGraph parses one write several times. The one thing held back is what would
// destroy the checkpoint before any reducer sees it: a BigInt, a cycle. Such an update counts as none.

import * as z from "zod";

/** Deeper values are refused by the engine anyway; a cycle has no end. */
const MAX_DEPTH = 256;

/** A schema that accepts any `Update`, absent ones too. */
export function permissive<Update>() {
  return z
    .custom<Update>()
    .transform((update) => (isStorable(update, MAX_DEPTH) ? update : undefined))
    .optional();
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === "bigint" || depth === 0) return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((child) => isStorable(child, depth - 1));
}
