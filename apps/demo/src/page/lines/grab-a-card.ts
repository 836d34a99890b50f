// The lines that are shown beside "Grab a card while it works".

import { board } from "@opstate/kanban-domain";
import type { BoardThread } from "@opstate/kanban-page/open-board.ts";

/** Your hand, on the thread of the agent. It sees your edit before its next step. */
export const grab = (thread: BoardThread, cardId: string, toColumn: string) =>
  thread.dispatch(board.op.move({ cardId, toColumn }));
