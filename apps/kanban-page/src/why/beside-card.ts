// Places the "Why?" note beside its card, and gives the focus back to the card.

import { cardElement } from "../drag/drop-target.ts";
import { keepBeside } from "../notices/place-beside.ts";

/** In the middle of the page if the card is not shown. Returns the function that stops it. */
export function keepBesideCard(note: HTMLElement, cardId: string): () => void {
  return keepBeside(
    note,
    () => shownCard(cardId)?.getBoundingClientRect() ?? new DOMRect(innerWidth / 2, innerHeight / 2, 0, 0),
  );
}

export function focusCard(cardId: string): void {
  shownCard(cardId)?.focus();
}

function shownCard(cardId: string): HTMLElement | undefined {
  const board = document.querySelector<HTMLElement>("[data-board]");
  return board ? cardElement(board, cardId) : undefined;
}
