// Whether an actor may use an operation. Without an actor nothing is checked: the caller is
// trusted.

import type { Actor, ActorKind } from "./actor.ts";
import { forbiddenText } from "./rejection/forbidden-text.ts";
import { rejection } from "./rejection/reject.ts";
import type { Rejection } from "./rejection/rejection.ts";

export interface Permission {
  readonly allow: readonly ActorKind[] | undefined;
  readonly approve: readonly ActorKind[];
}

export function checkPermission(permission: Permission, actor: Actor | undefined, type: string): Rejection | undefined {
  if (actor === undefined) return undefined;
  if (permission.allow !== undefined && !permission.allow.includes(actor.kind)) {
    const { allow } = permission;
    return rejection("forbidden", type, forbiddenText(actor.kind, type, allow), { details: { allowed: allow } });
  }
  if (permission.approve.includes(actor.kind)) {
    return rejection("needs_approval", type, `"${type}" by an actor of kind "${actor.kind}" needs approval first.`);
  }
  return undefined;
}
