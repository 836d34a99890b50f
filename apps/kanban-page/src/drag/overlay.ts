// What is drawn above the board while a card moves: a copy of the card, and the drop line.
//
// Invariant: a copy has no ids, so the board has each card exactly once in every frame.

import type { DropLine } from "./drop-target.ts";

export interface Overlay {
  /** A copy of a card at its place on the screen. */
  copyOf(card: HTMLElement): HTMLElement;
  line(at: DropLine | undefined): void;
  remove(): void;
}

export function createOverlay(): Overlay {
  const layer = document.createElement("div");
  layer.className = "overlay";
  layer.setAttribute("aria-hidden", "true");
  layer.inert = true;
  const line = document.createElement("div");
  line.className = "drop-line";
  line.hidden = true;
  layer.append(line);
  document.body.append(layer);

  return {
    copyOf(card) {
      const { left, top, width, height } = card.getBoundingClientRect();
      const copy = card.cloneNode(true);
      if (!(copy instanceof HTMLElement)) throw new TypeError("A card is an HTML element");
      for (const element of [copy, ...copy.querySelectorAll<HTMLElement>("*")]) {
        for (const { name } of [...element.attributes])
          if (/^(id|data-(card|testid|lifted).*|aria-.*|role|tabindex)$/.test(name)) element.removeAttribute(name);
      }
      copy.classList.add("card-copy");
      Object.assign(copy.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
      layer.append(copy);
      return copy;
    },
    line(at) {
      line.hidden = at === undefined;
      if (at) Object.assign(line.style, { left: `${at.left}px`, top: `${at.top}px`, width: `${at.width}px` });
    },
    remove: () => layer.remove(),
  };
}
