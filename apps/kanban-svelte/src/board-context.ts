// The shown thread, the board or a branch of it, for the components below.

import type { Proposal } from "@opstate/core";
import { board } from "@opstate/kanban-domain";
import { type Log, LOG, logOf } from "@opstate/kanban-page/timeline/log.ts";
import { createAgentStateContext } from "@opstate/svelte";

export const boardContext = createAgentStateContext(board);

/** The log in words; `current` is reactive. Call it once, at the top of a component. */
export function getLog(): { readonly current: Log } {
  const history = boardContext.history(LOG);
  const thread = boardContext.thread();
  return {
    get current() {
      return logOf(history, thread().getState());
    },
  };
}

/** The open proposals, oldest first; `current` is reactive. Call it once, as `getLog`. */
export function getProposals(): { readonly current: readonly Proposal[] } {
  const proposals = boardContext.proposals();
  return {
    get current() {
      return proposals.proposals;
    },
  };
}
