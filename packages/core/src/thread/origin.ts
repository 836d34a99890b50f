// What a commit carries out, and whose work it is. An approval carries out its proposer's
// operation, a merge that of the branch's author.
//
// Logs find a commit by its author. The commit's own actor is answerable for it: the one who
// approved or merged.

import type { Actor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Source } from "../engine/source.ts";
import type { Commit } from "./commit.ts";
import { type ApproveOperation, isApprove, isMerge, type MergeOperation } from "./entries.ts";

/** Who wrote what a commit does, and in which run. */
export interface Author {
  readonly actor: Actor;
  readonly runId?: string;
}

/** The submission that first said an operation, as it is stored: its author, its id, its time. */
export interface Submitted extends Source {
  readonly actor: Actor;
  readonly id: string;
  readonly at: string;
}

export interface Origin extends Author {
  readonly operation: AnyOperation;
  /** What the operation's ids and its time are made from. */
  readonly source: Submitted;
}

type OriginParts = Pick<Commit, "operation" | "actor" | "runId" | "id" | "at">;

/** `branch`: the incarnation of the branch that the commit is in. */
export function originOf(commit: OriginParts, branch?: string): Origin {
  const { operation, id, at } = commit;
  const { actor, runId } = authorOf(commit);
  const own = runId === undefined ? {} : { runId };
  const onBranch = branch === undefined ? {} : { branch };
  // A log may hold entries that no authority wrote, or an earlier version did.
  if (isApprove(operation)) {
    const { source = { actor, id: operation.proposal, at, ...onBranch } }: Partial<ApproveOperation> = operation;
    return { operation: operation.operation, actor, source, ...own };
  }
  if (isMerge(operation)) {
    const { source = { actor, id, at, ...onBranch } }: Partial<MergeOperation> = operation;
    return { operation: operation.operation, actor, source, ...own };
  }
  return { operation, actor, source: { actor, id, at, ...onBranch }, ...own };
}

/**
 * The author that a log finds a commit by when commits of an actor or a run are read. Of an
 * approval that is the proposer, of a merge the one who did it on the branch, of anything else the
 * commit's own actor. For authors of a log.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { authorOf } from "@opstate/core/log";
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
  const { operation } = commit;
  let { actor, runId } = commit;
  // A log may hold entries that no authority wrote.
  if (isApprove(operation)) {
    const stored: Partial<ApproveOperation> = operation;
    actor = stored.proposer ?? actor;
    runId = stored.runId ?? runId;
  } else if (isMerge(operation)) {
    // A merge has the run of what it merges.
    const stored: Partial<MergeOperation> = operation;
    actor = stored.author ?? actor;
  }
  return { actor, ...(runId === undefined ? {} : { runId }) };
}
