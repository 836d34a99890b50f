// Who sends a request, and what they may do.
//
// Invariant: the application's `authorize` is the only source of actors and rights. A right that it
// does not grant is denied.

import type { Actor } from "@opstate/core";
import { Problem } from "./problem.ts";

/**
 * What an actor may do with a stream:
 *
 * - `create`: make it. A fork needs `read` on its source as well.
 * - `append`: write to it, and close it.
 * - `read`: read and follow it, and see its head.
 * - `delete`: delete it.
 */
export type StreamRight = "create" | "append" | "read" | "delete";

/** The sender of a request, as the application knows them, and their rights on each stream. */
export interface StreamAccess {
  readonly actor: Actor;
  /** When the credentials expire. A reader who follows is checked again at that moment. */
  readonly expiresAt?: Date;
  allows(streamId: string, right: StreamRight): boolean | Promise<boolean>;
}

/**
 * Finds out who sends a request, from its headers. Null means that the sender is unknown (401). It
 * must not read the body.
 */
export type AuthorizeStreams = (request: Request) => StreamAccess | null | Promise<StreamAccess | null>;

/** For `insecure: true`: every sender is the same local user, with every right. */
export const openAccess: StreamAccess = { actor: { kind: "user", id: "local" }, allows: () => true };

export async function authenticate(authorize: AuthorizeStreams, request: Request): Promise<StreamAccess> {
  const access = await authorize(request);
  if (!access) throw new Problem("unauthenticated", "The request carries no valid credentials.");
  const { kind, id } = access.actor;
  if (typeof kind !== "string" || kind === "" || typeof id !== "string" || id === "")
    throw new TypeError("`authorize` must give an actor with a kind and an id, both non-empty strings.");
  const { expiresAt } = access;
  if (expiresAt === undefined) return access;
  if (!(expiresAt instanceof Date) || Number.isNaN(expiresAt.getTime()))
    throw new TypeError(
      "`expiresAt` of what `authorize` gives must be a Date. A JWT's `exp` is `new Date(exp * 1000)`.",
    );
  if (expiresAt.getTime() <= Date.now()) throw new Problem("unauthenticated", "The credentials have expired.");
  return access;
}

/** Untyped callers may return anything; only `true` grants. */
export async function requireRight(access: StreamAccess, streamId: string, right: StreamRight): Promise<void> {
  const granted: unknown = await access.allows(streamId, right);
  if (granted === true) return;
  throw new Problem(
    "not_allowed",
    `This request needs the right "${right}" on the stream "${streamId.slice(0, 100)}".`,
  );
}
