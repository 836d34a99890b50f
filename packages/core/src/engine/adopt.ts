// Adopts a state that came from elsewhere (a checkpoint, user code, a log): it is copied, checked,
// derived and frozen.

import { applyPatch, diff } from "../patch/index.ts";
import { Underivable } from "./derive.ts";
import { report } from "./rejection/failure.ts";
import { deepFreeze } from "./freeze.ts";
import type { Adopted } from "./known.ts";
import { ANY_SIZE, copyJson } from "./limits/limits.ts";
import type { Model } from "./model.ts";
import { build } from "./replace.ts";
import { NO_LIMITS } from "./limits/no-limits.ts";

export function adopt(model: Model, foreign: object): Adopted {
  const copy = copyJson(foreign, ANY_SIZE);
  if (!copy.ok) return { ok: false, problem: { message: copy.fault.message, path: copy.fault.path, issues: [] } };
  try {
    const built = build(model, copy.value);
    if (!built.ok) return { ok: false, problem: built.problem };
    const patches = diff(copy.value, built.state);
    const applied = applyPatch(copy.value, patches, { limits: NO_LIMITS });
    const repair = patches.length > 0 && applied.ok ? { patches, inverse: applied.inverse } : undefined;
    return { ok: true, state: deepFreeze(built.state, model.freeze), repair };
  } catch (error) {
    const isDerived = error instanceof Underivable;
    // No update is at fault: the definition cannot compute a field of a state that it accepts.
    report(model, "unknown", isDerived ? error.cause : error);
    const message = isDerived ? `"${error.pointer}" could not be computed` : "its schema threw an error";
    return { ok: false, problem: { message, issues: [] } };
  }
}
