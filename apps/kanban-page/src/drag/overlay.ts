// What is drawn above the board while a card or a column moves: a copy of it, and the drop line.
//
// Invariant: a copy has no ids, so the board has each card and column exactly once in every frame.

import type { DropLine } from "./drop-target.ts";

export interface Overlay {
  /** A copy of a card or a column at its place on the screen. */
  copyOf(thing: HTMLElement): HTMLElement;
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
    copyOf(thing) {
      const { left, top, width, height } = thing.getBoundingClientRect();
      const copy = thing.cloneNode(true);
      if (!(copy instanceof HTMLElement)) throw new TypeError("What moves is an HTML element");
      for (const element of [copy, ...copy.querySelectorAll<HTMLElement>("*")]) {
        for (const { name } of [...element.attributes])
          if (/^(id|data-(card|column|testid|lifted).*|aria-.*|role|tabindex)$/.test(name))
            element.removeAttribute(name);
      }
      copy.classList.add("card-copy");
      Object.assign(copy.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
      layer.append(copy);
      return copy;
    },
    line(at) {
      line.hidden = at === undefined;
      const { left = 0, top = 0, width = 0, height = 0 } = at ?? {};
      Object.assign(line.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    },
    remove: () => layer.remove(),
  };
}
