// A batch does exactly what its parts would do one after another, or nothing.

import { applyPatch, type PatchOperation } from "../patch/index.ts";
import { equal } from "../json/equal.ts";
import type { Step } from "./apply.ts";
import { deepFreeze } from "./freeze.ts";
import type { Model } from "./model.ts";
import { inBatch, type Resolved } from "./resolve.ts";
import { NO_LIMITS } from "./limits/no-limits.ts";
import { WorkingCopies } from "./draft/working-copies.ts";

/** `perform` does one part on the state that the parts before it led to. */
export function performBatch(
  { freeze }: Model,
  base: object | null,
  parts: readonly Resolved[],
  perform: (state: object | null, part: Resolved, index: number, copies: WorkingCopies) => Step,
): Step {
  const copies = new WorkingCopies();
  const patches: PatchOperation[] = [];
  let state = base;
  for (const [index, part] of parts.entries()) {
    if (part.kind !== "operation") copies.clear();
    const step = perform(state, part, index, copies);
    if (!step.ok) return { ok: false, rejection: inBatch(step.rejection, index) };
    const { edited } = step;
    // The patches copied the containers that they changed.
    if (edited.state !== state && edited.touched === undefined) copies.clear();
    state = edited.state;
    for (const operation of edited.patches) patches.push(operation);
  }
  // The state is the result of all patches. They are not merged: each says what moved where.
  const applied = applyPatch(base, patches, { limits: NO_LIMITS });
  if (!applied.ok) throw new Error(`The patches of a batch do not apply: ${applied.error.message}`);
  // Edits that cancel each other out change nothing.
  if (base !== null && equal(base, applied.document, Infinity))
    return { ok: true, edited: { state: base, patches: [], inverse: [], touched: undefined } };
  const made = deepFreeze(applied.document ?? {}, freeze, base);
  return { ok: true, edited: { state: made, patches, inverse: applied.inverse, touched: undefined } };
}
