// Who asks, and what they may do. Only the application's `authorize` says so; everything it does
// not grant is denied.

import type { Actor } from "@opstate/core";
import type { ThreadRight } from "@opstate/core/thread";
import { Problem } from "./problem.ts";

/**
 * What an actor may do with a thread and its branches. `read`: state, history, events. `write`:
 * submit, create, branch, merge; and run agents, which takes `read` too. `undo`: take back what
 * others did. `approve`: decide on what others propose. `admin`: delete.
 */
export type Right = ThreadRight;

/**
 * Who asks, as the application knows them, and which rights they have on which thread. What core
 * gives by the kind of an actor is `defaultRights(actor.kind).includes(right)`.
 */
export interface Access {
  readonly actor: Actor;
  allows(threadId: string, right: Right): boolean | Promise<boolean>;
}

/**
 * Says who sends a request, from its headers; null when that is not known. Must not read the body.
 */
export type Authorize = (request: Request) => Access | null | Promise<Access | null>;

/** For `insecure: true`: everyone is the same local user, with every right. */
export const openAccess: Access = { actor: { kind: "user", id: "local" }, allows: () => true };

export async function authenticate(authorize: Authorize, request: Request): Promise<Access> {
  const access = await authorize(request);
  if (!access) throw new Problem("unauthenticated", "The request carries no valid credentials.");
  const { kind, id } = access.actor;
  if (typeof kind !== "string" || kind === "" || typeof id !== "string" || id === "") {
    throw new TypeError("`authorize` must give an actor with a kind and an id, both non-empty strings.");
  }
  return access;
}

/**
 * Whether the right is granted. What is not exactly `true`, as from callers without types, is not.
 */
export async function grants(access: Access, threadId: string, right: Right): Promise<boolean> {
  const granted: unknown = await access.allows(threadId, right);
  return granted === true;
}

export async function requireRight(access: Access, threadId: string, right: Right): Promise<void> {
  if (await grants(access, threadId, right)) return;
  throw new Problem("not_allowed", `This takes the right "${right}" on thread "${threadId}".`);
}

/**
 * The same with the rights on a branch being those on its parent. `ruledBy` tells whose rights hold
 * for a thread; it is asked once, so that all rights that one request takes are those on one
 * thread.
 */
export function followBranches(access: Access, rightsOwner: (threadId: string) => Promise<string>): Access {
  const rulers = new Map<string, Promise<string>>();
  return {
    actor: access.actor,
    async allows(threadId, right) {
      const ruler = rulers.get(threadId) ?? rightsOwner(threadId);
      rulers.set(threadId, ruler);
      return access.allows(await ruler, right);
    },
  };
}
