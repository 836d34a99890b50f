import { applyPatch, diff, type Patch } from "@opstate/core/json-patch";
import { expect } from "vitest";
import { deepFreeze } from "./arbitraries.ts";
import { canonical } from "./reference.ts";

/**
 * Applies the diff and checks what is true of every diff: it leads there, and is not longer than a
 * replacement.
 */
export function checkDiff(before: unknown, after: unknown): Patch {
  const patch = diff(deepFreeze(before), deepFreeze(after));
  const result = applyPatch(before, patch);
  if (!result.ok) throw new Error(result.error.message);
  expect(canonical(result.document)).toBe(canonical(after));
  const replacement = JSON.stringify([{ op: "replace", path: "", value: after }]);
  if (patch.length > 0) expect(JSON.stringify(patch).length).toBeLessThanOrEqual(replacement.length);
  return patch;
}
