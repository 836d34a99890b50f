// What a commit carries out, and whose work it is. An approval carries out its proposer's
// operation, a merge that of the branch's author.
//
// Logs find a commit by its author. The commit's own actor is answerable for it: the one who
// approved or merged.

import type { Actor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Commit } from "./commit.ts";
import { type ApproveOperation, isApprove, isMerge, type MergeOperation } from "./entries.ts";

/** Who wrote what a commit does, and in which run. */
export interface Author {
  readonly actor: Actor;
  readonly runId?: string;
}

export interface Origin extends Author {
  readonly operation: AnyOperation;
}

export function originOf({ operation, actor, runId }: Pick<Commit, "operation" | "actor" | "runId">): Origin {
  if (isApprove(operation)) {
    // A log may hold entries that no authority wrote.
    const stored: Partial<ApproveOperation> = operation;
    const proposedIn = stored.runId ?? runId;
    const own = proposedIn === undefined ? {} : { runId: proposedIn };
    return { operation: operation.operation, actor: stored.proposer ?? actor, ...own };
  }
  const own = runId === undefined ? {} : { runId };
  // A merge has the run of what it merges.
  if (isMerge(operation)) {
    const stored: Partial<MergeOperation> = operation;
    return { operation: operation.operation, actor: stored.author ?? actor, ...own };
  }
  return { operation, actor, ...own };
}

/**
 * The author that a log finds a commit by when commits of an actor or a run are read. Of an
 * approval that is the proposer, of a merge the one who did it on the branch, of anything else the
 * commit's own actor. For authors of a log.
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
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const agent = { kind: "agent", id: "planner" };
 * await thread.propose(counter.op.add({ by: 2 }), { actor: agent, runId: "run-7", id: "p" });
 * const verdict = await thread.approve("p", { actor: { kind: "user", id: "ada" } });
 * const author = verdict.accepted && verdict.commit && authorOf(verdict.commit);
 * author; // { actor: { kind: "agent", id: "planner" }, runId: "run-7" }
 * ```
 */
export function authorOf(commit: Pick<Commit, "operation" | "actor" | "runId">): Author {
  const { actor, runId } = originOf(commit);
  return { actor, ...(runId === undefined ? {} : { runId }) };
}
