// Scrolls the board to changes by the agent and by others: sideways to the column, vertically to
// the card.

import { cardsAtWork } from "../chat/transcript.ts";
import { cardElement, columnElement } from "../drag/drop-target.ts";
import { reveal } from "../drag/reveal.ts";
import type { Session } from "../session.ts";
import { mayScroll, scrollDistance, type ScrollTarget, scrollTargetOf, scrollTargetOfCard } from "./scroll-target.ts";

/** Sent by an element of the board that is to come into view. */
export const SHOW_EVENT = "opstate-show";

const MARGIN_PX = 12;

/** Returns the function that ends it. */
export function scrollToActivity(
  board: HTMLElement,
  { thread, chat, user }: Pick<Session, "thread" | "chat" | "user">,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const self = { kind: "user", id: user };
  let lastInput = -Infinity;
  let isPressed = false;
  let point = { x: -1, y: -1 };
  let frame = 0;

  const noteInput = () => (lastInput = performance.now());
  for (const name of ["pointerdown", "wheel", "touchmove", "keydown", "focusin"])
    board.addEventListener(name, noteInput, { signal, capture: true, passive: true });
  board.addEventListener("pointerdown", () => (isPressed = true), { signal, capture: true });
  board.addEventListener(
    "pointermove",
    ({ screenX: x, screenY: y, buttons }) => {
      isPressed &&= buttons !== 0;
      // A browser also sends this event for a pointer at rest when the element under it moves.
      if (x !== point.x || y !== point.y) noteInput();
      point = { x, y };
    },
    { signal, capture: true, passive: true },
  );
  for (const name of ["pointerup", "pointercancel"])
    window.addEventListener(name, () => (isPressed = false), { signal, capture: true, passive: true });

  const isBusy = () =>
    isPressed ||
    "dragging" in document.documentElement.dataset ||
    board.querySelector("[data-lifted]") !== null ||
    (board.contains(document.activeElement) && document.activeElement?.matches("input, textarea, select") === true);

  /** Scrolls in the next frame; a newer target replaces an older one. */
  function scrollWhenIdle(target: ScrollTarget | HTMLElement | undefined): void {
    if (target === undefined || !mayScroll({ busy: isBusy(), lastInput }, performance.now())) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => scrollTo(board, target));
  }

  board.addEventListener(SHOW_EVENT, ({ target }) => target instanceof HTMLElement && scrollWhenIdle(target), {
    signal,
  });

  let atWork: string | undefined;
  function scrollToWork(): void {
    const state = thread.getState();
    const cardId = cardsAtWork(chat.getState()).at(-1);
    if (cardId !== undefined && cardId !== atWork && state !== null) scrollWhenIdle(scrollTargetOfCard(cardId, state));
    atWork = cardId;
  }

  const cleanups = [
    thread.onCommit((commit) => scrollWhenIdle(scrollTargetOf(commit, thread.getState(), self))),
    chat.subscribe(scrollToWork),
    () => cancelAnimationFrame(frame),
    () => controller.abort(),
  ];
  return () => {
    for (const cleanup of cleanups) cleanup();
  };
}

function scrollTo(board: HTMLElement, target: ScrollTarget | HTMLElement): void {
  if (target instanceof HTMLElement) return scrollToElement(board, target);
  const { columnId, card } = target;
  const column = columnElement(board, columnId);
  if (column === undefined) return;
  // A long column renders only its visible cards.
  if (card !== undefined && cardElement(board, card.cardId) === undefined) reveal(board, columnId, card.index);
  scrollToElement(board, (card && cardElement(board, card.cardId)) ?? column);
}

/** Sideways to its column, and in that to a card. */
function scrollToElement(board: HTMLElement, element: HTMLElement): void {
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  const column = element.closest<HTMLElement>("[data-column-id]") ?? element;
  const across = scrollDistance(sideways(board), sideways(column), MARGIN_PX);
  if (across !== 0) board.scrollTo({ left: board.scrollLeft + across, behavior });
  const list = element.closest<HTMLElement>("[data-cards]");
  if (list === null) return;
  const down = scrollDistance(upright(list), upright(element), MARGIN_PX);
  if (down !== 0) list.scrollTo({ top: list.scrollTop + down, behavior });
}

function sideways(element: HTMLElement) {
  const { left, right } = element.getBoundingClientRect();
  return { start: left, end: right };
}

function upright(element: HTMLElement) {
  const { top, bottom } = element.getBoundingClientRect();
  return { start: top, end: bottom };
}
