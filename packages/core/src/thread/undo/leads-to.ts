// Whether what was done again is what the operation itself does there: else its commit says so.

import type { Model } from "../../engine/model.ts";
import { run } from "../../engine/run.ts";
import type { NamedState } from "../../engine/things/index.ts";
import { equal } from "../../json/equal.ts";
import type { Work } from "./again.ts";

/** `model` has every permission. */
export function leadsTo(model: Model, work: Work, from: NamedState, to: NamedState): boolean {
  const { operation, actor, source } = work;
  const next = run(model, from.state, operation, { actor, source });
  return next.accepted && equal(next.state, to.state, Infinity);
}
