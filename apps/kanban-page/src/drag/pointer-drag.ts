// Dragging a card with mouse, pen or finger, by the board's own elements.
//
// Invariants:
// - The board's own elements are never moved, so they show the state even if another actor changes
//   it during a drag.
// - A finger that scrolls never drags: it has to rest first.
// - A drag that ends outside of the columns, or by Escape, changes nothing.

import { cardElement, type DropTarget, dropLineOf, dropTargetAt } from "./drop-target.ts";
import type { Overlay } from "./overlay.ts";

export interface DragHandlers {
  /** The card left its place. */
  lifted(cardId: string): void;
  /** Released over a column; `from` is where its copy is on the screen. */
  dropped(cardId: string, target: DropTarget, from: DOMRect): void;
  /** Released elsewhere, or Escape was pressed. */
  returned(cardId: string, from: DOMRect): void;
}

interface Press {
  readonly cardId: string;
  readonly pointerId: number;
  readonly touch: boolean;
  readonly x: number;
  readonly y: number;
  readonly rest: ReturnType<typeof setTimeout> | undefined;
}

interface Drag {
  readonly cardId: string;
  readonly copy: HTMLElement;
  /** From the card's corner to the pointer. */
  readonly grip: { readonly x: number; readonly y: number };
  readonly home: { readonly left: number; readonly top: number };
}

const TOUCH_HOLD_MS = 220;
const TOUCH_SLOP_PX = 8;
const MOUSE_SLOP_PX = 4;
const SCROLL_EDGE_PX = 48;

/** Makes the cards of a board draggable. Returns the function that detaches it. */
export function attachPointerDrag(board: HTMLElement, overlay: Overlay, handlers: DragHandlers): () => void {
  let press: Press | undefined;
  let drag: Drag | undefined;
  let point = { x: 0, y: 0 };
  let target: DropTarget | undefined;
  let frame = 0;
  const controller = new AbortController();
  const { signal } = controller;

  const down = (event: PointerEvent) => {
    if (drag || !event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return;
    if (event.target.closest("button, input, textarea, select, a, [data-still]")) return;
    const card = event.target.closest<HTMLElement>("[data-card-id]");
    if (!card?.dataset.cardId || !board.contains(card)) return;
    const touch = event.pointerType === "touch";
    point = { x: event.clientX, y: event.clientY };
    const rest = touch ? setTimeout(begin, TOUCH_HOLD_MS) : undefined;
    press = { cardId: card.dataset.cardId, pointerId: event.pointerId, touch, ...point, rest };
  };

  const move = (event: PointerEvent) => {
    if (press?.pointerId !== event.pointerId) return;
    point = { x: event.clientX, y: event.clientY };
    // The button was released outside of the page.
    if (drag && event.buttons === 0) return end(undefined);
    if (drag) return;
    const distance = Math.hypot(point.x - press.x, point.y - press.y);
    if (press.touch) {
      if (distance > TOUCH_SLOP_PX) clearPress();
    } else if (distance > MOUSE_SLOP_PX) begin();
  };

  const up = (event: PointerEvent) => {
    if (press?.pointerId !== event.pointerId) return;
    if (drag) {
      point = { x: event.clientX, y: event.clientY };
      target = dropTargetAt(board, point.x, point.y, drag.cardId);
      // A click that follows belongs to the drag.
      window.addEventListener("click", stopEvent, { capture: true, once: true });
      setTimeout(() => window.removeEventListener("click", stopEvent, { capture: true }));
    }
    end(target);
  };

  const cancel = (event: PointerEvent) => {
    if (press?.pointerId === event.pointerId) end(undefined);
  };

  const key = (event: KeyboardEvent) => {
    if (!drag || event.key !== "Escape") return;
    stopEvent(event);
    end(undefined);
  };

  function begin() {
    const card = press && cardElement(board, press.cardId);
    if (!press || !card) return clearPress();
    const { left, top } = card.getBoundingClientRect();
    drag = {
      cardId: press.cardId,
      copy: overlay.copyOf(card),
      grip: { x: press.x - left, y: press.y - top },
      home: { left, top },
    };
    drag.copy.classList.add("dragged");
    document.documentElement.dataset.dragging = "";
    handlers.lifted(press.cardId);
    tick();
  }

  function tick() {
    if (!drag) return;
    scrollAtEdges(board, point.x, point.y);
    drag.copy.style.transform = `translate3d(${point.x - drag.grip.x - drag.home.left}px, ${point.y - drag.grip.y - drag.home.top}px, 0)`;
    // In each frame, because the board may change or scroll under the pointer.
    cardElement(board, drag.cardId)?.setAttribute("data-lifted", "");
    target = dropTargetAt(board, point.x, point.y, drag.cardId);
    overlay.line(target && dropLineOf(board, target, drag.cardId));
    frame = requestAnimationFrame(tick);
  }

  function end(to: DropTarget | undefined) {
    const ended = drag;
    clearPress();
    if (!ended) return;
    cancelAnimationFrame(frame);
    drag = undefined;
    const from = ended.copy.getBoundingClientRect();
    ended.copy.remove();
    overlay.line(undefined);
    delete document.documentElement.dataset.dragging;
    cardElement(board, ended.cardId)?.removeAttribute("data-lifted");
    if (to) handlers.dropped(ended.cardId, to, from);
    else handlers.returned(ended.cardId, from);
  }

  function clearPress() {
    clearTimeout(press?.rest);
    press = undefined;
  }

  const preventScroll = (event: Event) => {
    if (drag || (press?.touch && event.type === "contextmenu")) event.preventDefault();
  };

  board.addEventListener("pointerdown", down, { signal });
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", up, { signal });
  window.addEventListener("pointercancel", cancel, { signal });
  window.addEventListener("keydown", key, { signal, capture: true });
  // While dragging, a finger must not scroll; the listener has to be there before the touch begins.
  board.addEventListener("touchmove", preventScroll, { signal, passive: false });
  board.addEventListener("contextmenu", preventScroll, { signal });
  board.addEventListener("dragstart", (event) => event.preventDefault(), { signal });

  return () => {
    end(undefined);
    controller.abort();
  };
}

function stopEvent(event: Event) {
  event.preventDefault();
  event.stopPropagation();
}

function scrollAtEdges(board: HTMLElement, x: number, y: number) {
  const reach = board.getBoundingClientRect();
  board.scrollLeft += speed(x, reach.left, reach.right);
  for (const list of board.querySelectorAll<HTMLElement>("[data-cards]")) {
    const { left, right, top, bottom } = list.getBoundingClientRect();
    if (x >= left && x <= right) list.scrollTop += speed(y, top, bottom);
  }
}

/** Pixels per frame: none inside, faster towards the edge. */
function speed(at: number, from: number, to: number): number {
  if (at < from + SCROLL_EDGE_PX) return -Math.min(14, (from + SCROLL_EDGE_PX - at) / 4);
  if (at > to - SCROLL_EDGE_PX) return Math.min(14, (at - to + SCROLL_EDGE_PX) / 4);
  return 0;
}
