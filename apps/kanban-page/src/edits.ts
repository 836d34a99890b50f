// The edits that a person can make on the board.
//
// Each edit is optimistic, and its verdict is announced. A refusal also shows beside the card.

import { type BoardOperation, board } from "@opstate/kanban-domain";
import type { Announcer } from "./announcer.ts";
import type { DropTarget } from "./drag/drop-target.ts";
import { placeInWords } from "./drag/keyboard-drag.ts";
import type { Notices } from "./notices/notices.ts";
import type { BoardThread } from "./open-board.ts";
import { plainRefusal } from "./plain-refusal.ts";

export function createEdits(thread: BoardThread, notices: Notices, announcer: Announcer) {
  /** Resolves to whether the edit was accepted. */
  async function edit(
    operation: BoardOperation,
    said: string,
    about: { cardId?: string; columnId?: string },
  ): Promise<boolean> {
    const late = setTimeout(() => announcer.say(`${said}; waiting to be saved.`), 600);
    // No verdict means that the client was closed; the page continues with another one.
    const verdict = await thread.dispatch(operation).catch(() => undefined);
    clearTimeout(late);
    if (!verdict) return false;
    if (verdict.accepted) announcer.say(`${said}; accepted, version ${verdict.version}.`);
    else {
      const message = plainRefusal(verdict.rejection, thread.getState());
      announcer.say(message);
      notices.show({ ...about, message });
    }
    return verdict.accepted;
  }

  return {
    move(cardId: string, fromColumn: string, { columnId, index }: DropTarget) {
      const state = thread.getState();
      const where = state ? placeInWords(state, cardId, { columnId, index }) : columnId;
      return edit(
        board.op.move({ cardId, fromColumn, toColumn: columnId, position: index }),
        `${cardId} moved to ${where}`,
        {
          cardId,
          columnId,
        },
      );
    },
    addCard: (columnId: string, title: string, priority: number) =>
      edit(board.op.addCard({ columnId, title, priority }), `Card added: ${title}`, { columnId }),
    editCard: (cardId: string, change: { title?: string; priority?: number }) =>
      edit(board.op.editCard({ cardId, ...change }), `${cardId} changed`, { cardId }),
    removeCard: (cardId: string, fromColumn: string) =>
      edit(board.op.remove({ cardId, fromColumn }), `${cardId} removed`, { cardId, columnId: fromColumn }),
    addColumn: (title: string) => edit(board.op.addColumn({ title }), `Column added: ${title}`, {}),
    renameColumn: (columnId: string, title: string) =>
      edit(board.op.renameColumn({ columnId, title }), `Column renamed to ${title}`, { columnId }),
    removeColumn: (columnId: string) => edit(board.op.removeColumn({ columnId }), "Column removed", { columnId }),
  };
}
