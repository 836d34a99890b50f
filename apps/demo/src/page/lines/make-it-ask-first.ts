// The lines that are shown beside "Make it ask first".

import type { ShownProposal } from "@opstate/client";
import type { BoardThread } from "@opstate/kanban-page/open-board.ts";

/** A person decides. The agent that proposed it may not. */
export function decide({ proposals }: BoardThread, proposal: ShownProposal, isWanted: boolean) {
  return isWanted ? proposals.approve(proposal) : proposals.decline(proposal);
}
