// The edits that a person can make on the board.
//
// Each edit is optimistic, and its verdict is announced. A refusal also shows beside the card: that
// of an edit that was made before a reload, too.

import type { CallOptions } from "@opstate/client";
import { defined } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import { type Board, type BoardUpdate, board, namedCard, restoreId } from "@opstate/kanban-domain";
import type { Announcer } from "./announcer.ts";
import type { DropTarget } from "./drag/drop-target.ts";
import { notMovedWords, placeInWords } from "./drag/keyboard-drag.ts";
import type { Notices } from "./notices/notices.ts";
import type { BoardThread } from "./open-board.ts";
import { plainRefusal } from "./plain-refusal.ts";

export function createEdits(thread: BoardThread, announcer: Announcer) {
  /** Resolves to whether the edit was accepted. */
  async function edit(operation: BoardUpdate, said: string, options?: CallOptions): Promise<boolean> {
    const late = setTimeout(() => announcer.say(`${said}; waiting to be saved.`), 600);
    // No verdict means that the client was closed; the page continues with another one.
    const verdict = await thread.dispatch(operation, options).catch(() => undefined);
    clearTimeout(late);
    if (verdict?.accepted) announcer.say(verdict.commit ? `${said}; accepted.` : "Nothing to change.");
    return verdict?.accepted === true;
  }

  const named = (cardId: string) => {
    const state = thread.getState();
    return (state && namedCard(state, cardId)) ?? cardId;
  };

  return {
    move(cardId: string, fromColumn: string, { columnId, index }: DropTarget) {
      const state = thread.getState();
      const where = state ? placeInWords(state, cardId, { columnId, index }) : columnId;
      return edit(
        board.op.move({ cardId, fromColumn, toColumn: columnId, position: index }),
        `${named(cardId)} moved to ${where}`,
      );
    },
    addCard: (columnId: string, title: string, priority: number) =>
      edit(board.op.addCard({ columnId, title, priority }), `Card added: ${title}`),
    editCard: (cardId: string, change: { title?: string; priority?: number }) =>
      edit(board.op.editCard({ cardId, ...change }), `${named(cardId)} changed`),
    removeCard: (cardId: string, fromColumn: string) =>
      edit(board.op.remove({ cardId, fromColumn }), `${named(cardId)} removed`),
    addColumn: (title: string) => edit(board.op.addColumn({ title }), `Column added: ${title}`),
    renameColumn: (columnId: string, title: string) =>
      edit(board.op.renameColumn({ columnId, title }), `Column renamed to ${title}`),
    removeColumn: (columnId: string) => edit(board.op.removeColumn({ columnId }), "Column removed"),
    /** `index`: its place among all columns afterwards. Beyond the end means the end. */
    async moveColumn(columnId: string, index: number): Promise<boolean> {
      const columns = thread.getState()?.columns ?? [];
      const from = columns.findIndex((column) => column.columnId === columnId);
      const to = Math.min(index, columns.length - 1);
      const title = columns[from]?.title ?? columnId;
      if (from >= 0 && from === to) {
        announcer.say(notMovedWords(title));
        return true;
      }
      // Without any column the move is refused: this one is gone.
      return edit(
        board.op.move({ fromColumn: columnId, toColumn: columns[to]?.columnId ?? columnId }),
        `${title} moved to position ${to + 1} of ${columns.length}`,
      );
    },
    /** The whole board becomes what it was at a version, unless others change it meanwhile. */
    restore: (version: number, value: Board) =>
      edit({ type: "$replace", value }, `The board is again as it was at version ${version}`, {
        id: restoreId(version, randomId()),
        expectedVersion: thread.sync.getState().version,
      }),
  };
}

/**
 * Tells each edit of this person that is refused. It is said after what else the same change
 * brings, such as the return of the connection. Returns the function that stops it.
 */
export function showRefusals(thread: BoardThread, notices: Notices, announcer: Announcer): () => void {
  return thread.sync.subscribe(({ rejections }, before) => {
    if (rejections === before.rejections) return;
    for (const { id, operation, verdict } of rejections) {
      if (before.rejections.some((known) => known.id === id)) continue;
      const message = plainRefusal(verdict.rejection, thread.getState());
      queueMicrotask(() => announcer.say(message));
      notices.show({ ...placeOf(operation), message });
    }
  });
}

/** The card that an operation is about and its column, or else the column. */
function placeOf(operation: unknown): { readonly cardId?: string; readonly columnId?: string } {
  if (typeof operation !== "object" || operation === null) return {};
  const text = (name: string) => {
    const value: unknown = Reflect.get(operation, name);
    return typeof value === "string" ? value : undefined;
  };
  const cardId = text("cardId");
  const to = cardId === undefined ? undefined : text("toColumn");
  return defined({ cardId, columnId: to ?? text("fromColumn") ?? text("columnId") });
}
