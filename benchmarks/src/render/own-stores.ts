// The board on this project's own threads, for whatever binding shows it.

import { createClient } from "@opstate/client";
import { createLocal } from "@opstate/client/local";
import { memoryLog, openThread } from "@opstate/core";
import { renderBoard } from "./board.ts";
import type { Edit } from "./rounds.ts";

const actor = { kind: "user", id: "ada" };

type Board = ReturnType<typeof localBoard>;

/** Without a server: the thread's own state. */
export function localBoard() {
  return createLocal(renderBoard, { actor });
}

/** A replica, ahead of a thread of this process. */
export async function optimisticBoard(): Promise<Board> {
  const thread = await openThread({ definition: renderBoard, log: memoryLog(), threadId: "board" });
  return createClient({ threads: [thread], actor }).thread(renderBoard, "board");
}

export function editOf(board: Board): Edit {
  return async (cardId, title) => {
    const verdict = await board.dispatch(renderBoard.op.rename({ cardId, title }));
    if (!verdict.accepted) throw new Error("the edit was refused");
  };
}
