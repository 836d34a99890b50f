// Merging one change of a branch: its operation is done again on the parent, as its author's.
//
// Invariants:
// - The author and the actor who merges must both be allowed to use the operation.
// - Where either of them needs approval for it, the merge is that approval only when an actor with
//   the right to approve merges what another one did. So a branch is no way around approval.

import type { AnyDefinition } from "../../definition/definition.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import { run } from "../../engine/run.ts";
import { approved, permissionFault } from "../authority/approval.ts";
import type { Change } from "./changes.ts";
import type { Confirmed } from "../confirmed.ts";
import { type Computed, refuse } from "../authority/computed.ts";
import { MERGE, type MergeOperation } from "../entries.ts";

/** What merging would do now. `mayApprove`: whether the actor has that right. */
export function computeMerge(
  definition: AnyDefinition,
  {
    branch,
    change,
    actor,
    mayApprove,
  }: { readonly branch: string; readonly change: Change; readonly actor: Actor; readonly mayApprove: boolean },
  confirmed: Confirmed,
): Computed {
  const author = change.actor;
  const model = mayApprove && !sameActor(actor, author) ? approved(definition.model) : definition.model;
  const fault = permissionFault(model, change.operation, actor);
  if (fault !== undefined) return refuse(confirmed, fault);
  const next = run(model, confirmed.state, change.operation, { actor: author, source: change.source });
  if (!next.accepted) return refuse(confirmed, next.rejection);
  const operation: MergeOperation = {
    type: MERGE,
    branch,
    change: change.commit.version,
    author,
    source: change.source,
    operation: next.operation,
  };
  return { transition: { ...next, operation }, records: false };
}
