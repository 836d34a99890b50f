// What a commit carries out, and whose it is: an approval does its proposer's operation, a merge
// that of whoever did it on the branch.
//
// The author is whom logs find a commit by. The commit's own actor is who is answerable for it:
// whoever approved or merged it.

import type { Actor } from "../engine/actor.ts";
import type { Commit } from "./commit.ts";
import { type ApproveOperation, isApprove, isMerge, type MergeOperation } from "./entries.ts";

/** Who first said what a commit does, and in which run. */
export interface Author {
  readonly actor: Actor;
  readonly runId?: string;
}

export interface Origin extends Author {
  readonly operation: { readonly type: string };
}

export function originOf({ operation, actor, runId }: Pick<Commit, "operation" | "actor" | "runId">): Origin {
  if (isApprove(operation)) {
    // A log may hold what no authority wrote.
    const said: Partial<ApproveOperation> = operation;
    const proposedIn = said.runId ?? runId;
    const own = proposedIn === undefined ? {} : { runId: proposedIn };
    return { operation: operation.operation, actor: said.proposer ?? actor, ...own };
  }
  const own = runId === undefined ? {} : { runId };
  // A merge has the run of what it merges.
  if (isMerge(operation)) {
    const said: Partial<MergeOperation> = operation;
    return { operation: operation.operation, actor: said.author ?? actor, ...own };
  }
  return { operation, actor, ...own };
}

/**
 * Whom a commit is found by, when commits of an actor or a run are read: of an approval whoever
 * proposed it, of a merge whoever did it on the branch, of anything else whoever did it. For those
 * who write a log.
 *
 * @example
 * ```ts
 * import { authorOf, defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const agent = { kind: "agent", id: "planner" };
 * await thread.propose(counter.op.add({ by: 2 }), { actor: agent, runId: "run-7", id: "p" });
 * const verdict = await thread.approve("p", { actor: { kind: "user", id: "ada" } });
 * verdict.accepted && verdict.commit && authorOf(verdict.commit); // { actor: { kind: "agent", id: "planner" }, runId: "run-7" }
 * ```
 */
export function authorOf(commit: Pick<Commit, "operation" | "actor" | "runId">): Author {
  const { actor, runId } = originOf(commit);
  return { actor, ...(runId === undefined ? {} : { runId }) };
}
