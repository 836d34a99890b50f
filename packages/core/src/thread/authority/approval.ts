// A definition as it is where approval does not matter: after an approval, and on a branch, where
// nothing counts until it is merged. Permissions to use an operation stay.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import type { Model } from "../../engine/model.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { resolve } from "../../engine/resolve.ts";
import type { SharedCopies } from "../../engine/shared-copies.ts";
import type { Submitted } from "../origin.ts";
import { run } from "../../engine/run.ts";
import type { Transition } from "../../engine/transition.ts";

/** The reducer of a thread. `copies`: see `run`. */
export type Judge = (
  state: unknown,
  update: unknown,
  submission: Omit<Submitted, "branch">,
  copies?: SharedCopies,
) => Transition<unknown, AnyOperation>;

/** The model without the need for approval. */
export function approved(model: Model): Model {
  const operations = new Map([...model.operations].map(([type, operation]) => [type, { ...operation, approve: [] }]));
  return { ...model, operations, replace: { ...model.replace, approve: [] } };
}

/**
 * The reducer of a thread, or of the branch with this incarnation: there approval waits for the
 * merge.
 */
export function judgeOf(definition: AnyDefinition, branch: string | undefined): Judge {
  const model = branch === undefined ? definition.model : approved(definition.model);
  return (state, update, { actor, id, at }, copies) => {
    const source = { actor, id, at, ...(branch === undefined ? {} : { branch }) };
    return run(model, state, update, { actor, source }, copies);
  };
}

/** Why the actor may not use an operation, in any state. */
export function permissionFault(model: Model, operation: unknown, actor: Actor): Rejection | undefined {
  const resolution = resolve(model, operation, actor);
  return resolution.ok ? undefined : resolution.rejection;
}
