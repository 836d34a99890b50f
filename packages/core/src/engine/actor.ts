// Who submits an update. Only the authority's caller (a server's `authorize`, trusted code) sets
// the actor; it never comes from a payload.

/** The kinds that opstate knows; an application may have its own. */
export type ActorKind = "user" | "agent" | "webhook" | "system" | (string & {});

/** Who submits an update: `{ kind: "user", id: "ada" }`. */
export interface Actor {
  readonly kind: ActorKind;
  readonly id: string;
}

export function sameActor(a: Actor, b: Actor): boolean {
  return a.kind === b.kind && a.id === b.id;
}
