// What an actor may do with a thread when the application does not say so itself.
//
// Invariant: it is an allow list. A kind that is not on it may read, write, and take back its own
// work.

import type { Actor, ActorKind } from "../engine/actor.ts";

/**
 * A right on what others do: to take back what they did, or to approve what they propose. Only the
 * caller's own check can give it to a kind that does not have it by default.
 */
export type Right = "undo" | "approve";

/** A right on a thread. `admin`: to delete it. */
export type ThreadRight = "read" | "write" | "admin" | Right;

const RIGHTS_OF_ALL: readonly ThreadRight[] = ["read", "write"];
const RIGHTS_ON_OTHERS: readonly ThreadRight[] = [...RIGHTS_OF_ALL, "undo", "approve"];
const KINDS_WITH_RIGHTS_ON_OTHERS: ReadonlySet<ActorKind> = new Set(["user", "system"]);

/**
 * The rights of a kind of actor where nothing else is said. All may read, write, and take back
 * their own work. Users and the system may also take back what others did, and approve what they
 * propose. No kind has `admin`.
 *
 * @example
 * ```ts
 * import { defaultRights } from "@opstate/core/thread";
 *
 * defaultRights("user"); // ["read", "write", "undo", "approve"]
 * defaultRights("agent"); // ["read", "write"]
 * ```
 */
export function defaultRights(kind: ActorKind): readonly ThreadRight[] {
  return KINDS_WITH_RIGHTS_ON_OTHERS.has(kind) ? RIGHTS_ON_OTHERS : RIGHTS_OF_ALL;
}

/** Whether an actor has a right on what others do: `allows` decides when the caller gives it. */
export function hasRight({ kind }: Actor, right: Right, allows: ((right: Right) => boolean) | undefined): boolean {
  return allows?.(right) ?? defaultRights(kind).includes(right);
}
