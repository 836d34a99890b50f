// A column of many cards: what a view of it has to know to render only the cards that are in sight.

import { REVEAL_EVENT } from "../drag/reveal.ts";

/** A column of more cards than these is long. */
export const LONG_COLUMN = 120;

/** Pixels between two cards, as in the stylesheet. */
export const CARD_GAP = 6;

/** Options of a virtual list. A card's height is measured once it is there. */
export const VIRTUAL_COLUMN = { gap: CARD_GAP, overscan: 8, estimateSize: () => 66 } as const;

/**
 * Calls `show` with the index of a card that is to have an element; the function it gives back ends
 * that.
 */
export function attachReveal(list: HTMLElement, show: (index: number) => void): () => void {
  const reveal = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === "number") show(event.detail);
  };
  list.addEventListener(REVEAL_EVENT, reveal);
  return () => list.removeEventListener(REVEAL_EVENT, reveal);
}
