// What of a card can be dragged, and where to.

import { cardElement, type DropTarget, dropLineOf, dropTargetAt } from "./drop-target.ts";
import type { Draggables } from "./pointer-drag.ts";

export const draggableCards = (board: HTMLElement): Draggables<DropTarget> => ({
  idAt: (pressed) =>
    pressed.closest("button, input, textarea, select, a, [data-still]")
      ? undefined
      : pressed.closest<HTMLElement>("[data-card-id]")?.dataset.cardId,
  element: (cardId) => cardElement(board, cardId),
  targetAt: (x, y, cardId) => dropTargetAt(board, x, y, cardId),
  lineOf: (target, cardId) => dropLineOf(board, target, cardId),
  isInList: true,
});
