// A branch of its own for a run: what the agent does there counts when a person merges it.

import type { AnyDefinition, Branch, Thread } from "@opstate/core";
import { shortId } from "../ids/short-id.ts";

/**
 * The branch of a run: created at the newest version, or found again, so that a run that goes on
 * after a restart works on the same one. Throws an OpstateError (`invalid_branch`) on a branch.
 *
 * @example
 * ```ts
 * import { AgentSession, runBranch } from "@opstate/agent";
 * import { defineState, memoryLog, openThread } from "@opstate/core";
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
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
 *
 * const branch = await runBranch(thread, "run-1");
 * const session = new AgentSession({ thread: branch, actor: { kind: "agent", id: "planner" } });
 * await session.execute("add", { by: 2 });
 * thread.getState(); // { count: 0 }
 * await branch.merge({ actor: { kind: "user", id: "ada" } });
 * thread.getState(); // { count: 2 }
 * ```
 */
export async function runBranch<D extends AnyDefinition>(thread: Thread<D>, runId: string): Promise<Branch<D>> {
  const id = `${shortId(thread.threadId)}~${shortId(runId)}`;
  return (await thread.openBranch(id)) ?? thread.branch(undefined, { id });
}
