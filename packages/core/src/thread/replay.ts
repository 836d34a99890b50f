// Replay by the reducer: what updates would make of a state now. (A log is replayed by its patches instead: see confirmed.ts.)

import type { AnyDefinition, OperationOf, StateOf, Taken } from "../definition/definition.ts";
import type { Transition } from "../engine/transition.ts";
import type { Snapshot } from "./commit.ts";

/** The end of a replay. `version` counts the updates that were accepted and changed something, from the version it began with. */
export interface Replayed<D extends AnyDefinition> extends Snapshot<StateOf<D>> {
  /** One for each update, in order. */
  readonly transitions: readonly Transition<StateOf<D>, Taken<OperationOf<D>>>[];
}

/**
 * Folds updates over a state: over the initial one, or over the snapshot `from` (an earlier replay will do). No permission is checked.
 * A refused update changes nothing and is in `transitions` with its reason. Never throws.
 *
 * @example
 * ```ts
 * import { defineState, replay } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 *
 * const { state, version, transitions } = replay(counter, [counter.op.add({ by: 1 }), { type: "nope" }, counter.op.add({ by: 2 })]);
 * state; // { count: 3 }
 * version; // 2
 * transitions.map(({ accepted }) => accepted); // [true, false, true]
 * ```
 */
export function replay<D extends AnyDefinition>(definition: D, updates: Iterable<unknown>, from?: Snapshot<StateOf<D>>): Replayed<D> {
  let state: StateOf<D> = from === undefined ? definition.initial : from.state;
  let version = from?.version ?? 0;
  const transitions: Transition<StateOf<D>, Taken<OperationOf<D>>>[] = [];
  for (const update of updates) {
    const transition = definition.transition(state, update);
    transitions.push(transition);
    if (transition.accepted && transition.patches.length > 0) version += 1;
    state = transition.state;
  }
  return { state, version, transitions };
}
