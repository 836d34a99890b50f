// Brings the first proposed card into view, unless another one is: its buttons are on it.

import { SHOW_EVENT } from "./scroll-to-activity.ts";

/** For a ghost that has just come. */
export function showGhost(ghost: HTMLElement): void {
  const board = ghost.closest<HTMLElement>("[data-board]");
  if (board === null) return;
  const reach = board.getBoundingClientRect();
  const [first, ...others] = board.querySelectorAll("[data-ghost-of]");
  if (first !== ghost || others.some((each) => isWithin(reach, each.getBoundingClientRect()))) return;
  ghost.dispatchEvent(new Event(SHOW_EVENT, { bubbles: true }));
}

const isWithin = (reach: DOMRect, { left, right, top, bottom }: DOMRect): boolean =>
  left >= reach.left && right <= reach.right && top >= reach.top && bottom <= reach.bottom;
