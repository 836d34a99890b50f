// The lines that are shown beside "Let it try".

import type { ThreadBranch } from "@opstate/client";
import type { board } from "@opstate/kanban-domain";

/** Merges a part of the agent's branch. The board judges each change as it is now. */
export async function mergePart(branch: ThreadBranch<typeof board>, count: number) {
  const changes = await branch.diff();
  return branch.merge({ ids: changes.slice(0, count).map(({ id }) => id) });
}
