// A column of many cards, of which only the visible ones are rendered.

import { REVEAL_EVENT } from "../drag/reveal.ts";

/** A column with more cards than this is virtualized. */
export const LONG_COLUMN = 120;

/** A column that is only looked at shows at most so many cards: more would slow the page. */
export const STILL_CARDS = 200;

/** Pixels between two cards, as in the stylesheet. */
export const CARD_GAP = 6;

/** Options of the virtual list. A card's height is measured after it is rendered. */
export const VIRTUAL_COLUMN = { gap: CARD_GAP, overscan: 8, estimateSize: () => 66 } as const;

/**
 * Calls `show` with the index of a card that must be rendered. Returns the function that stops it.
 */
export function attachReveal(list: HTMLElement, show: (index: number) => void): () => void {
  const reveal = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === "number") show(event.detail);
  };
  list.addEventListener(REVEAL_EVENT, reveal);
  return () => list.removeEventListener(REVEAL_EVENT, reveal);
}
