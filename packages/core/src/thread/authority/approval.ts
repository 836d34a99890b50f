// A definition as it is where approval does not matter: once somebody said yes, and on a branch,
// where nothing counts until it is merged. Who may use an operation at all stays.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import type { Model } from "../../engine/model.ts";
import type { Rejection } from "../../engine/rejection.ts";
import { resolve } from "../../engine/resolve.ts";
import { run } from "../../engine/run.ts";
import type { Transition } from "../../engine/transition.ts";

type Judged = Transition<unknown, { readonly type: string }>;

/** The reducer of a thread: what it says of an update by an actor. */
export type Judge = (state: unknown, update: unknown, actor: Actor) => Judged;

export function approved(model: Model): Model {
  const operations = new Map([...model.operations].map(([type, operation]) => [type, { ...operation, approve: [] }]));
  return { ...model, operations, replace: { ...model.replace, approve: [] } };
}

/** How updates are judged on a thread, or on a branch: there approval waits for the merge. */
export function judgeOf(definition: AnyDefinition, branch: boolean): Judge {
  if (!branch) return (state, update, actor) => definition.transition(state, update, { actor });
  const model = approved(definition.model);
  return (state, update, actor) => run(model, state, update, actor);
}

/** Why the actor may not use an operation of this shape, whatever the state is. */
export function permissionFault(model: Model, operation: unknown, actor: Actor): Rejection | undefined {
  const resolution = resolve(model, operation, actor);
  return resolution.ok ? undefined : resolution.rejection;
}
