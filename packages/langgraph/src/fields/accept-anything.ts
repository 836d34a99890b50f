// The input schema of a field. It lets everything through to the reducer, which refuses what is
// wrong and keeps its value.
//
// - A schema that refuses kills the run, and LangGraph parses one write several times.
// - Two kinds of updates are dropped, because they do harm before a reducer sees them: what no
//   checkpoint can store (a BigInt, a cycle), and an overwrite, which bypasses the reducer.

import * as z from "zod";
import { droppedUpdate, type Report } from "./on-reject.ts";
import { isOverwrite, OVERWRITE_IGNORED } from "./overwrite.ts";

/** The engine refuses deeper values anyway. A cycle has no end. */
const MAX_DEPTH = 256;

/** A schema that accepts any `Update`, and none at all. What it drops is reported. */
export function acceptAnything<Update>({ field, report }: { readonly field: string; readonly report: Report }) {
  return z
    .custom<Update>()
    .transform((update) => {
      const fault = faultOf(update);
      if (fault === undefined) return update;
      report(droppedUpdate(fault), { field, update });
      return undefined;
    })
    .optional();
}

/** Why an update cannot be given to a field. Undefined when it can. */
export function faultOf(update: unknown): string | undefined {
  if (!isStorable(update))
    return "No checkpoint can store the update: it must be JSON, without a BigInt, a function, a symbol or a cycle";
  return isOverwrite(update) ? OVERWRITE_IGNORED : undefined;
}

/** Whether a checkpoint can store the value and bring it back. A function is stored as nothing. */
function isStorable(value: unknown): boolean {
  try {
    return typeof value !== "function" && typeof value !== "symbol" && hasStorableParts(value, MAX_DEPTH);
  } catch {
    // A proxy or a getter that throws.
    return false;
  }
}

function hasStorableParts(value: unknown, depth: number): boolean {
  if (typeof value === "bigint" || depth === 0) return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((child) => hasStorableParts(child, depth - 1));
}
