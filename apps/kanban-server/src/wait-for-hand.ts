// For a demo in which a person acts while the agent works: after its first change the agent waits
// until a person has changed the board, too.
//
// Invariant: it waits only in a run that says so (`waitForHand`), and no longer than that run.

import type { Commit } from "@opstate/core";
import { board } from "@opstate/kanban-domain";
import { threadOfRun } from "@opstate/langgraph";
import { createMiddleware } from "langchain";
import { z } from "zod";

/** A run that no one comes to goes on after this time. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;

const WaitingRun = z.object({ waitForHand: z.literal(true), opstate: z.object({ runId: z.string() }) });
const threadOf = threadOfRun(board);

export const waitForHand = createMiddleware({
  name: "waitForHand",
  async beforeModel(_state, runtime) {
    const run = WaitingRun.safeParse(runtime.configurable).data;
    if (run === undefined) return undefined;
    const thread = threadOf(runtime);
    const over = AbortSignal.any([AbortSignal.timeout(LONGEST_WAIT_MS), ...(runtime.signal ? [runtime.signal] : [])]);
    let goOn = () => {};
    const hand = new Promise<void>((resolve) => (goOn = resolve));
    const stop = thread.onCommit((commit) => isByPerson(commit) && goOn());
    over.addEventListener("abort", goOn);
    // The listener is there before the look, so no change is missed between them.
    if (!over.aborted && !needsNoHand(await commitsOf(thread), run.opstate.runId)) await hand;
    over.removeEventListener("abort", goOn);
    stop();
    return undefined;
  },
});

/** The run has changed nothing yet, or a person has changed something since it did. */
function needsNoHand(newestFirst: readonly Commit[], runId: string): boolean {
  const first = newestFirst.findLastIndex((commit) => commit.runId === runId);
  return first === -1 || newestFirst.slice(0, first).some(isByPerson);
}

async function commitsOf(thread: ReturnType<typeof threadOf>): Promise<readonly Commit[]> {
  const newest = await thread.history({ order: "descending", limit: 50 });
  return newest.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
}

const isByPerson = ({ actor }: Pick<Commit, "actor">): boolean => actor.kind === "user";
