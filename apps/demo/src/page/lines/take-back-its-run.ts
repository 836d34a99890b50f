// The lines that are shown beside "Take back its run, keep yours".

import type { BoardThread } from "@opstate/kanban-page/open-board.ts";

/** All that the run did is undone. What others did since stays. */
export function takeBackRun(thread: BoardThread, runId: string) {
  return thread.undo({ runId }, { onDependent: "keep" });
}
