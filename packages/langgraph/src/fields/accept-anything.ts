// The input schema of a field. It lets everything through to the reducer, which refuses what is
// wrong and keeps its value.
//
// - A schema that refuses kills the run, and LangGraph parses one write several times.
// - Two kinds of updates are dropped, because they do harm before a reducer sees them: what no
//   checkpoint can store (a BigInt, a cycle), and an overwrite, which bypasses the reducer.

import * as z from "zod";
import { isOverwrite } from "./overwrite.ts";

/** The engine refuses deeper values anyway. A cycle has no end. */
const MAX_DEPTH = 256;

/** A schema that accepts any `Update`, and none at all. */
export function acceptAnything<Update>() {
  return z
    .custom<Update>()
    .transform((update) => (isStorable(update) && !isOverwrite(update) ? update : undefined))
    .optional();
}

/** Whether a checkpoint can store the value and bring it back. A function is stored as nothing. */
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
