// The lines that are shown beside "Make it ask first".

import type { ShownProposal } from "@opstate/client";
import type { BoardThread } from "@opstate/kanban-page/open-board.ts";

/** A person decides. The agent that proposed it may not. */
export const decide = ({ proposals }: BoardThread, { id, version }: ShownProposal, isWanted: boolean) =>
  isWanted ? proposals.approve({ id, version }) : proposals.decline({ id, version });
