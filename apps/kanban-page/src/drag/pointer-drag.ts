// Dragging a card or a column with mouse, pen or finger, by the board's own elements.
//
// Invariants:
// - The board's own elements are never moved, so they show the state even if another actor changes
//   it during a drag.
// - A finger that scrolls never drags: it has to rest first.
// - A drag that ends outside of the columns, or by Escape, changes nothing.

import type { DropLine } from "./drop-target.ts";
import type { Overlay } from "./overlay.ts";

/** What can be dragged, and where to. */
export interface Draggables<Target> {
  /** The id of what is pressed; undefined for nothing. */
  idAt(pressed: Element): string | undefined;
  element(id: string): HTMLElement | undefined;
  /** Undefined outside of the board. */
  targetAt(x: number, y: number, id: string): Target | undefined;
  lineOf(target: Target, id: string): DropLine | undefined;
  /** Whether the lists of cards scroll at their edges, too. */
  readonly isInList: boolean;
}

export interface DragHandlers<Target> {
  /** It left its place. */
  lifted(id: string): void;
  /** Released over the board; `from` is where its copy is on the screen. */
  dropped(id: string, target: Target, from: DOMRect): void;
  /** Released elsewhere, or Escape was pressed. */
  returned(id: string, from: DOMRect): void;
}

interface Press {
  readonly id: string;
  readonly pointerId: number;
  readonly touch: boolean;
  readonly x: number;
  readonly y: number;
  readonly rest: ReturnType<typeof setTimeout> | undefined;
}

interface Drag {
  readonly id: string;
  readonly copy: HTMLElement;
  /** From its corner to the pointer. */
  readonly grip: { readonly x: number; readonly y: number };
  readonly home: { readonly left: number; readonly top: number };
}

const TOUCH_HOLD_MS = 220;
const TOUCH_SLOP_PX = 8;
const MOUSE_SLOP_PX = 4;
const SCROLL_EDGE_PX = 48;

/** Makes these things of a board draggable. Returns the function that detaches it. */
export function attachPointerDrag<Target>(
  board: HTMLElement,
  overlay: Overlay,
  { idAt, element, targetAt, lineOf, isInList }: Draggables<Target>,
  handlers: DragHandlers<Target>,
): () => void {
  let press: Press | undefined;
  let drag: Drag | undefined;
  let point = { x: 0, y: 0 };
  let target: Target | undefined;
  let frame = 0;
  const controller = new AbortController();
  const { signal } = controller;

  const down = (event: PointerEvent) => {
    if (drag || !event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return;
    const id = idAt(event.target);
    if (id === undefined) return;
    const touch = event.pointerType === "touch";
    point = { x: event.clientX, y: event.clientY };
    const rest = touch ? setTimeout(begin, TOUCH_HOLD_MS) : undefined;
    press = { id, pointerId: event.pointerId, touch, ...point, rest };
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
      target = targetAt(point.x, point.y, drag.id);
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
    const thing = press && element(press.id);
    if (!press || !thing) return clearPress();
    const { left, top } = thing.getBoundingClientRect();
    drag = {
      id: press.id,
      copy: overlay.copyOf(thing),
      grip: { x: press.x - left, y: press.y - top },
      home: { left, top },
    };
    drag.copy.classList.add("dragged");
    document.documentElement.dataset.dragging = "";
    handlers.lifted(press.id);
    tick();
  }

  function tick() {
    if (!drag) return;
    scrollAtEdges(board, point.x, point.y, isInList);
    drag.copy.style.transform = `translate3d(${point.x - drag.grip.x - drag.home.left}px, ${point.y - drag.grip.y - drag.home.top}px, 0)`;
    // In each frame, because the board may change or scroll under the pointer.
    element(drag.id)?.setAttribute("data-lifted", "");
    target = targetAt(point.x, point.y, drag.id);
    overlay.line(target === undefined ? undefined : lineOf(target, drag.id));
    frame = requestAnimationFrame(tick);
  }

  function end(to: Target | undefined) {
    const ended = drag;
    clearPress();
    if (!ended) return;
    cancelAnimationFrame(frame);
    drag = undefined;
    const from = ended.copy.getBoundingClientRect();
    ended.copy.remove();
    overlay.line(undefined);
    delete document.documentElement.dataset.dragging;
    element(ended.id)?.removeAttribute("data-lifted");
    if (to === undefined) handlers.returned(ended.id, from);
    else handlers.dropped(ended.id, to, from);
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

function scrollAtEdges(board: HTMLElement, x: number, y: number, isInList: boolean) {
  const reach = board.getBoundingClientRect();
  board.scrollLeft += speed(x, reach.left, reach.right);
  if (!isInList) return;
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
