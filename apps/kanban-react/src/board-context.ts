// The shown thread, the board or a branch of it, and the hooks that read it.

import { board } from "@opstate/kanban-domain";
import { type Log, LOG, logOf } from "@opstate/kanban-page/timeline/log.ts";
import { createAgentStateContext, useAgentState } from "@opstate/react";

export const Board = createAgentStateContext(board);

/** A slice of the log in words. */
export function useLog<Slice>(select: (log: Log) => Slice, isEqual?: (a: Slice, b: Slice) => boolean): Slice {
  const { history, getState } = Board.useThread();
  return useAgentState(history.with(LOG), (state) => select(logOf(state, getState())), isEqual);
}
