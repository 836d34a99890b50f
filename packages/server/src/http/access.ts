// Who sends a request, and what they may do.
//
// Invariant: the application's `authorize` is the only source of actors and rights. A right that it
// does not grant is denied.

import type { Actor } from "@opstate/core";
import { Problem } from "./problem.ts";

/**
 * What an actor may do with a thread and its branches:
 *
 * - `read`: state, history, events.
 * - `write`: submit, create, branch, merge. Together with `read` also: run agents, be seen.
 * - `undo`: undo the work of others, and stop their runs.
 * - `approve`: decide on the proposals of others.
 * - `admin`: delete, compact and redact.
 */
export type Right = "read" | "write" | "undo" | "approve" | "admin";

/** The sender of a request, as the application knows them, and their rights on each thread. */
export interface Access {
  readonly actor: Actor;
  /**
   * When the credentials expire. From then on they are invalid (401); what lasts is checked again
   * at that moment, and goes on when a later time is given.
   */
  readonly expiresAt?: Date;
  allows(threadId: string, right: Right): boolean | Promise<boolean>;
}

/** The access of one request. */
export interface RequestAccess extends Access {
  /** Called with each right that the request cannot do without. */
  readonly onRequired?: (threadId: string, right: Right, isGranted: boolean) => void;
}

/**
 * Finds out who sends a request, from its headers. Null means that the sender is unknown (401). It
 * must not read the body.
 */
export type Authorize = (request: Request) => Access | null | Promise<Access | null>;

/** For `insecure: true`: every sender is the same local user, with every right. */
export const openAccess: Access = { actor: { kind: "user", id: "local" }, allows: () => true };

export async function authenticate(authorize: Authorize, request: Request): Promise<Access> {
  const access = await authorize(request);
  if (!access) throw new Problem("unauthenticated", "The request carries no valid credentials.");
  const { kind, id } = access.actor;
  if (typeof kind !== "string" || kind === "" || typeof id !== "string" || id === "") {
    throw new TypeError("`authorize` must give an actor with a kind and an id, both non-empty strings.");
  }
  const { expiresAt } = access;
  if (expiresAt === undefined) return access;
  if (!(expiresAt instanceof Date) || Number.isNaN(expiresAt.getTime()))
    throw new TypeError(
      "`expiresAt` of what `authorize` gives must be a Date. A JWT's `exp` is `new Date(exp * 1000)`.",
    );
  if (expiresAt.getTime() <= Date.now()) throw new Problem("unauthenticated", "The credentials have expired.");
  return access;
}

/** Whether the right is granted. Untyped callers may return anything; only `true` grants. */
export async function isGranted(access: Access, threadId: string, right: Right): Promise<boolean> {
  const granted: unknown = await access.allows(threadId, right);
  return granted === true;
}

export async function requireRight(access: RequestAccess, threadId: string, right: Right): Promise<void> {
  const granted = await isGranted(access, threadId, right);
  access.onRequired?.(threadId, right, granted);
  if (granted) return;
  throw new Problem("not_allowed", `This request needs the right "${right}" on thread "${threadId}".`);
}

/**
 * The same access, where the rights on a branch are those on the thread at its root. `rightsOwner`
 * gives that thread's id. It is called once per thread, so all rights that one request needs are
 * checked on the same thread.
 */
export function withBranchRights(access: Access, rightsOwner: (threadId: string) => Promise<string>): Access {
  const owners = new Map<string, Promise<string>>();
  return {
    ...access,
    async allows(threadId, right) {
      const owner = owners.get(threadId) ?? rightsOwner(threadId);
      owners.set(threadId, owner);
      return access.allows(await owner, right);
    },
  };
}
