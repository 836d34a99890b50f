// What a commit carries out, and whose it is: an approval does its proposer's operation, a merge that of whoever did it on the branch.

import type { Actor } from "../engine/actor.ts";
import type { Commit } from "./commit.ts";
import { isMerge } from "./merge-entry.ts";
import { isApprove } from "./proposal-entry.ts";

export interface Origin {
  readonly operation: { readonly type: string };
  readonly actor: Actor;
}

export function originOf({ operation, actor }: Commit): Origin {
  if (isApprove(operation)) return { operation: operation.operation, actor: operation.proposer };
  if (isMerge(operation)) return { operation: operation.operation, actor: operation.author };
  return { operation, actor };
}
