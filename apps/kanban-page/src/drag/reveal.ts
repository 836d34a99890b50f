// Scrolls to a card of a long column, so that it is rendered.

import { columnElement } from "./drop-target.ts";

/** Sent to a column's list, with the card's index as its detail. */
export const REVEAL_EVENT = "opstate-reveal";

export function reveal(board: HTMLElement, columnId: string, index: number): void {
  columnElement(board, columnId)
    ?.querySelector("[data-cards][data-long]")
    ?.dispatchEvent(new CustomEvent(REVEAL_EVENT, { detail: index }));
}
