// Moving columns, by mouse, touch and keyboard.

import { attachColumnKeys } from "../drag/column-keys.ts";
import { draggableColumns } from "../drag/column-target.ts";
import { columnElement } from "../drag/drop-target.ts";
import type { Overlay } from "../drag/overlay.ts";
import { attachPointerDrag } from "../drag/pointer-drag.ts";
import type { Session } from "../session.ts";
import type { BoardMotion } from "./board-motion.ts";

/** Returns the function that detaches it. */
export function attachColumnGestures(
  board: HTMLElement,
  overlay: Overlay,
  motion: BoardMotion,
  { thread, edits, notices, announcer }: Session,
): () => void {
  // On a narrow page the board scrolls to the column. Moved, its title may have lost the focus.
  const follow = (columnId: string, isByKeyboard: boolean) =>
    requestAnimationFrame(() => {
      const column = columnElement(board, columnId);
      column?.scrollIntoView({ block: "nearest", inline: "nearest" });
      if (isByKeyboard && document.activeElement === document.body)
        column?.querySelector<HTMLElement>("[data-column-head] button")?.focus({ preventScroll: true });
    });
  const move = async (columnId: string, index: number, isByKeyboard: boolean) => {
    const moved = edits.moveColumn(columnId, index);
    follow(columnId, isByKeyboard);
    if (!(await moved)) follow(columnId, isByKeyboard);
  };
  board.setAttribute("data-columns-move", "");
  const cleanups = [
    () => board.removeAttribute("data-columns-move"),
    attachPointerDrag(board, overlay, draggableColumns(board), {
      lifted: () => notices.clear(),
      dropped(columnId, index, from) {
        void move(columnId, index, false);
        motion.fromColumn(columnId, from);
      },
      returned: (columnId, from) => motion.fromColumn(columnId, from),
    }),
    attachColumnKeys(board, overlay, {
      board: () => thread.getState(),
      say: (sentence) => announcer.say(sentence),
      lifted: () => notices.clear(),
      dropped: (columnId, index) => void move(columnId, index, true),
    }),
  ];
  return () => {
    for (const cleanup of cleanups) cleanup();
  };
}
