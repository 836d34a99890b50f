// An actor's name: a person's own name, or the kind of program.

import type { Actor } from "@opstate/core";

export function nameOf({ kind, id }: Actor, user: string): string {
  if (kind === "user") return id === user ? `${id} (you)` : id;
  if (kind === "agent") return "Agent";
  if (kind === "system") return "System";
  return kind === "webhook" ? `Webhook ${id}` : `${kind} ${id}`;
}
