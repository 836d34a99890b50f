// Commits as an earlier release stored them: approved and merged commits were filed under the actor
// who approved or merged them, and approvals did not name the run of their proposal.

import type { Commit, Log } from "@opstate/core";
import { ada, entry } from "./entries.ts";

const robot = { kind: "agent", id: "robot" };

function commitOf(
  version: number,
  parts: { readonly actor: Commit["actor"]; readonly runId?: string; readonly operation: { type: string } },
): Commit {
  return { ...entry(version).commit!, ...parts };
}

const approve = (proposedAt: number) => ({ type: "$approve", proposedAt, proposer: robot, operation: { type: "add" } });

export const authoredCommits: readonly Commit[] = [
  commitOf(1, { actor: robot, runId: "r\u0000", operation: { type: "$propose" } }),
  commitOf(2, { actor: robot, operation: { type: "$propose" } }),
  commitOf(3, { actor: ada, runId: "ada's", operation: approve(1) }),
  commitOf(4, { actor: ada, operation: approve(2) }),
  commitOf(5, {
    actor: ada,
    runId: "r\u0000",
    operation: { ...approve(1), type: "$merge", author: robot } as { type: string },
  }),
  // Its proposal is gone, so this commit keeps its run.
  commitOf(6, { actor: ada, runId: "ada's", operation: approve(77) }),
  commitOf(7, { actor: ada, runId: "ada's", operation: { type: "add" } }),
];

/** The versions found by each author and run, and the actor of the first approval. */
export const byAuthor = { robot: [1, 2, 3, 4, 5, 6], ada: [7], run: [1, 3, 5], others: [6, 7], approver: ada };

export async function authoredVersions(log: Log, threadId: string): Promise<typeof byAuthor> {
  const before = authoredCommits.length + 1;
  const found = async (range: Parameters<Log["read"]>[1]) =>
    (await log.read(threadId, { ...range, before })).map(({ version }) => version);
  const [approval] = await log.read(threadId, { actor: robot, types: ["$approve"], limit: 1 });
  return {
    robot: await found({ actor: robot }),
    ada: await found({ actor: ada }),
    run: await found({ runId: "r\u0000" }),
    others: await found({ runId: "ada's" }),
    approver: approval?.actor ?? robot,
  };
}
