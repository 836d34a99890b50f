// The lines that are shown beside "Pull the plug".

import type { BoardThread } from "@opstate/kanban-page/open-board.ts";

/** Edits that wait: shown at once, and kept over a reload by `storage: indexedDbStorage()`. */
export const waiting = ({ sync }: BoardThread) => sync.getState().pending;

/** Each edit gets a verdict when the connection is back. These were refused, with a reason. */
export const refused = ({ sync }: BoardThread) => sync.getState().rejections.map(({ verdict }) => verdict.rejection);
