// Whether an operation needs a person's approval.

import type { Actor, AnyDefinition, Thread } from "@opstate/core";

/**
 * Whether the definition requires another actor's approval for this use of an operation. On a
 * branch nothing needs it: nothing there counts before it is merged.
 */
export function needsApproval(
  definition: AnyDefinition,
  type: string,
  { actor, thread }: { readonly actor: Actor; readonly thread: Pick<Thread, "parent"> },
): boolean {
  if (thread.parent !== undefined) return false;
  const { operations, replace } = definition.model;
  const approve = type === "$replace" ? replace.approve : operations.get(type)?.approve;
  return approve?.includes(actor.kind) === true;
}
