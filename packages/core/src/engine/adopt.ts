// Adopts a state that came from elsewhere (a checkpoint, user code, a log): it is copied, checked,
// derived and frozen.

import { applyPatch, diff } from "../patch/index.ts";
import { deepFreeze } from "./freeze.ts";
import type { Adopted } from "./known.ts";
import { ANY_SIZE, copyJson } from "./limits.ts";
import type { Model } from "./model.ts";
import { build } from "./replace.ts";
import { NO_LIMITS } from "./trusted.ts";

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
  } catch {
    return { ok: false, problem: { message: "a derived field could not be computed", issues: [] } };
  }
}
