// Animates cards and columns from their old place to the new one, for changes by any actor.
//
// - FLIP (first, last, invert, play): places are read when the state changes, before the page shows
//   it, and compared with those of the next frame.
// - A column slides, with its cards. Within a column a card slides. To another column a copy of it
//   flies, because columns clip.
// - The board's own elements are only animated, never moved or hidden by style, so no style stays
//   behind.

import type { Overlay } from "../drag/overlay.ts";

export interface BoardMotion {
  /** Call when the state changed and the page does not show it yet. */
  before(): void;
  /** The next move of this card begins here: where a drag ended. */
  from(cardId: string, rect: DOMRect): void;
  fromColumn(columnId: string, rect: DOMRect): void;
  stop(): void;
}

interface Place {
  readonly rect: DOMRect;
  /** Of a card. */
  readonly columnId: string | undefined;
  readonly element: HTMLElement;
}

interface Running {
  /** Where the card is on the screen now. */
  rect(): DOMRect;
  end(): void;
}

/** With more cards than this nothing is animated, because measuring them is too slow. */
const MAX_MEASURED_CARDS = 300;
/** A change of more cards than this fades the board instead of moving each card. */
const MAX_MOVING_CARDS = 8;
const EASING = "cubic-bezier(0.2, 0, 0, 1)";

export function createBoardMotion(board: HTMLElement, overlay: Overlay): BoardMotion {
  const origins = new Map<string, DOMRect>();
  const running = new Map<string, Running>();
  let first: Map<string, Place> | undefined;
  let frame = 0;

  function play() {
    frame = 0;
    const before = first ?? new Map<string, Place>();
    const starts = new Map(origins);
    first = undefined;
    origins.clear();
    for (const { end } of [...running.values()]) end();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
    const reach = board.getBoundingClientRect();
    const after = places(board, running);
    // Many cards changed their column: one fade instead of many animations.
    if (
      [...after].filter(([cardId, { columnId }]) => before.get(cardId)?.columnId !== columnId).length > MAX_MOVING_CARDS
    )
      return void (before.size > 0 && appear(board));
    // What its column moves a card by.
    const shift = (columnId: string | undefined, edge: "left" | "top") => {
      const key = columnKey(columnId);
      const start = starts.get(key) ?? before.get(key)?.rect;
      const end = after.get(key)?.rect;
      return start && end ? start[edge] - end[edge] : 0;
    };
    for (const [key, place] of after) {
      const origin = starts.get(key);
      const was = before.get(key);
      const start = origin ?? was?.rect;
      if (!start) {
        if (before.size > 0) appear(place.element);
        continue;
      }
      const flies = place.columnId !== undefined && (origin !== undefined || was?.columnId !== place.columnId);
      const carrier = flies ? undefined : place.columnId;
      const x = start.left - place.rect.left - shift(carrier, "left");
      const y = start.top - place.rect.top - shift(carrier, "top");
      if (Math.hypot(x, y) < 2 || !(overlaps(start, reach) || overlaps(place.rect, reach))) continue;
      if (flies) fly(key, place.element, x, y);
      else slide(key, place.element, x, y);
    }
  }

  function slide(key: string, element: HTMLElement, x: number, y: number) {
    const motion = element.animate([{ transform: `translate(${x}px, ${y}px)` }, {}], { duration: 200, easing: EASING });
    run(key, motion, () => element.getBoundingClientRect());
  }

  function fly(cardId: string, element: HTMLElement, x: number, y: number) {
    const copy = overlay.copyOf(element);
    const options = { duration: Math.min(320, 180 + Math.hypot(x, y) / 6), easing: EASING };
    const unseen = element.animate([{ opacity: 0 }, { opacity: 0 }], options);
    const motion = copy.animate([{ transform: `translate(${x}px, ${y}px)` }, {}], options);
    // The board may scroll meanwhile, so the copy follows the card's element.
    const stay = () => {
      const { left, top } = element.getBoundingClientRect();
      Object.assign(copy.style, { left: `${left}px`, top: `${top}px` });
    };
    board.addEventListener("scroll", stay, { capture: true, passive: true });
    run(
      cardId,
      motion,
      () => copy.getBoundingClientRect(),
      () => {
        board.removeEventListener("scroll", stay, { capture: true });
        copy.remove();
        unseen.cancel();
      },
    );
  }

  function run(key: string, motion: Animation, rect: () => DOMRect, clean?: () => void) {
    const end = () => {
      running.delete(key);
      motion.cancel();
      clean?.();
    };
    motion.onfinish = end;
    running.set(key, { rect, end });
  }

  function schedule() {
    if (frame === 0) frame = requestAnimationFrame(play);
  }

  function from(key: string, rect: DOMRect) {
    origins.set(key, rect);
    schedule();
  }

  return {
    before() {
      // Several changes before one frame: the first places count.
      first ??= places(board, running);
      schedule();
    },
    from,
    fromColumn: (columnId, rect) => from(columnKey(columnId), rect),
    stop() {
      cancelAnimationFrame(frame);
      for (const { end } of [...running.values()]) end();
    },
  };
}

function appear(element: HTMLElement) {
  element.animate([{ opacity: 0 }, {}], { duration: 200, easing: EASING });
}

const columnKey = (columnId: string | undefined): string => `column/${columnId}`;

/** Cards by their id, columns by their key. */
function places(board: HTMLElement, running: ReadonlyMap<string, Running>): Map<string, Place> {
  const elements = board.querySelectorAll<HTMLElement>("[data-card-id], [data-column-id]");
  // Under a preview nothing has a place.
  if (board.offsetParent === null) return new Map();
  if (elements.length > MAX_MEASURED_CARDS) return new Map();
  return new Map(
    [...elements].map((element) => {
      const { cardId } = element.dataset;
      const parent = element.closest<HTMLElement>("[data-column-id]")?.dataset.columnId;
      const [key, columnId] = cardId === undefined ? [columnKey(parent)] : [cardId, parent];
      return [key, { rect: running.get(key)?.rect() ?? element.getBoundingClientRect(), columnId, element }];
    }),
  );
}

const overlaps = (a: DOMRect, b: DOMRect): boolean =>
  a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;
