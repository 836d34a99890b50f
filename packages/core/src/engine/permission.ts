// Whether an actor may use an operation. Without an actor nothing is checked: that is trusted code.

import type { Actor, ActorKind } from "./actor.ts";
import { rejection } from "./reject.ts";
import type { Rejection } from "./rejection.ts";

export interface Permission {
  readonly allow: readonly ActorKind[] | undefined;
  readonly approve: readonly ActorKind[];
}

export function checkPermission(permission: Permission, actor: Actor | undefined, type: string): Rejection | undefined {
  if (actor === undefined) return undefined;
  if (permission.allow !== undefined && !permission.allow.includes(actor.kind)) {
    const who = permission.allow.length === 0 ? "Nobody may" : `Only these may: ${permission.allow.join(", ")}`;
    return rejection("forbidden", type, `A "${actor.kind}" may not use "${type}". ${who}.`, {
      details: { allowed: permission.allow },
    });
  }
  if (permission.approve.includes(actor.kind)) {
    return rejection("needs_approval", type, `"${type}" by a "${actor.kind}" needs somebody's approval first.`);
  }
  return undefined;
}
