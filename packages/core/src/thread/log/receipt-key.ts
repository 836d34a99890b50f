// One text for each actor, and for each submission id of an actor. As JSON, so that no character in
// a kind or an id makes two actors one.

import type { Actor } from "../../engine/actor.ts";

export function actorKey({ kind, id }: Actor): string {
  return JSON.stringify([kind, id]);
}

/** It begins with the actor's own key. */
export function receiptKey(actor: Actor, id: string): string {
  return actorKey(actor) + id;
}
