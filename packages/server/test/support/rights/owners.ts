// Rights that the application grants and revokes while the server runs: each thread name has one
// owner.

import type { Log } from "@opstate/core";
import type { Authorize } from "../../../src/index.ts";

export interface Owners {
  readonly authorize: Authorize;
  /** Also revokes the rights of the previous owner. `"*"` means every thread. */
  give(threadId: string, user: string): void;
  revoke(user: string): void;
}

export function owners(): Owners {
  const names = new Map<string, Set<string>>();
  const owns = (user: string, threadId: string) =>
    names.get(user)?.has(threadId) === true || names.get(user)?.has("*") === true;
  return {
    authorize(request) {
      const id = request.headers.get("authorization");
      return id === null ? null : { actor: { kind: "user", id }, allows: (threadId) => owns(id, threadId) };
    },
    give(threadId, user) {
      for (const owned of names.values()) owned.delete(threadId);
      names.set(user, (names.get(user) ?? new Set()).add(threadId));
    },
    revoke: (user) => void names.delete(user),
  };
}

export const as = (user: string) => ({ authorization: user });

/** Creates a branch of a branch. No route does that, but a log may contain one. */
export async function branchOf(log: Log, parentId: string, threadId: string): Promise<void> {
  const stored = await log.load(parentId);
  if (!stored) throw new Error(`There is no thread "${parentId}".`);
  const { definition, incarnation } = stored.info;
  const { version, state, definitionVersion } = stored.snapshot;
  await log.create({
    threadId,
    definition,
    definitionVersion,
    state,
    at: "",
    parent: { threadId: parentId, version, incarnation },
  });
}
