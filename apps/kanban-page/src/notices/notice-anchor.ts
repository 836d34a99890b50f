// The place of a refusal's note.

import { cardElement, columnElement } from "../drag/drop-target.ts";
import type { Notice } from "./notices.ts";

/** The card if it is visible, else the head of its column, else the board's corner. */
export function noticeAnchor({ cardId, columnId }: Notice): DOMRect {
  const board = document.querySelector<HTMLElement>("[data-board]");
  const reach = board?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  const card = cardId !== undefined && board ? cardElement(board, cardId) : undefined;
  const column = board ? columnElement(board, columnId) : undefined;
  const seen = [card, column?.querySelector("[data-column-head]")]
    .map((element) => element?.getBoundingClientRect())
    .find((rect) => rect && inside(rect, reach));
  return seen ?? new DOMRect(reach.left, reach.top, 0, 0);
}

const inside = (rect: DOMRect, reach: DOMRect): boolean =>
  rect.left + rect.width / 2 > reach.left &&
  rect.left + rect.width / 2 < reach.right &&
  rect.top > reach.top - 8 &&
  rect.bottom < reach.bottom + 8;
