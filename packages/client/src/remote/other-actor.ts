// The verdict on a call that names another actor than the connection's.

import type { Actor, Verdict } from "@opstate/core";

export function otherActor(
  named: Actor,
  actor: Actor,
  type: string,
  version: number,
): Extract<Verdict<never>, { readonly accepted: false }> {
  const message = `This connection is that of ${nameOf(actor)}, and can do nothing as ${nameOf(named)}: the server knows an actor by their credentials. Leave the actor out, or use a connection with the credentials of ${nameOf(named)}.`;
  return {
    accepted: false,
    version,
    rejection: { code: "forbidden", reason: "other_actor", message, operation: { type } },
    attempt: 1,
  };
}

function nameOf({ kind, id }: Actor): string {
  return `${kind} ${JSON.stringify(id)}`;
}
