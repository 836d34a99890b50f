// The answer stands beside its card, and the focus goes back there.

import { cardElement } from "../drag/drop-target.ts";
import { keepBeside } from "../notices/place-beside.ts";

/** Without the card on the board: in the middle of the page. Returns the function that ends it. */
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
