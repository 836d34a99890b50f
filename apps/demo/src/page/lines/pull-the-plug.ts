// The lines that are shown beside "Pull the plug".

import type { BoardThread } from "@opstate/kanban-page/open-board.ts";

/** Pending edits. They are saved over a reload by `storage: indexedDbStorage()`. */
export const waiting = ({ sync }: BoardThread) => sync.getState().pending;

/** When the connection is back each edit gets a verdict. Why some were refused: */
export function refused({ sync }: BoardThread) {
  const { rejections } = sync.getState();
  return rejections.map(({ verdict }) => verdict.rejection);
}
