// The board scrolls to what the agent and others touch: the columns sideways, a column up and down.

import { cardElement } from "../drag/drop-target.ts";
import { reveal } from "../drag/reveal.ts";
import type { Session } from "../session.ts";
import { distance, mayScroll, type Sight, sightOf, sightOfCard } from "./scroll-target.ts";

const MARGIN = 12;

/** Returns the function that ends it. */
export function keepInSight(
  board: HTMLElement,
  { replica, chat, user }: Pick<Session, "replica" | "chat" | "user">,
): () => void {
  const life = new AbortController();
  const { signal } = life;
  const me = { kind: "user", id: user };
  let last = -Infinity;
  let held = false;
  let point = { x: -1, y: -1 };
  let frame = 0;

  const touch = () => (last = performance.now());
  for (const name of ["pointerdown", "wheel", "touchmove", "keydown", "focusin"])
    board.addEventListener(name, touch, { signal, capture: true, passive: true });
  board.addEventListener("pointerdown", () => (held = true), { signal, capture: true });
  board.addEventListener(
    "pointermove",
    ({ screenX: x, screenY: y, buttons }) => {
      held &&= buttons !== 0;
      // A browser may tell of a pointer that rests when what is under it moves.
      if (x !== point.x || y !== point.y) touch();
      point = { x, y };
    },
    { signal, capture: true, passive: true },
  );
  for (const name of ["pointerup", "pointercancel"])
    window.addEventListener(name, () => (held = false), { signal, capture: true, passive: true });

  const isBusy = () =>
    held ||
    "dragging" in document.documentElement.dataset ||
    board.querySelector("[data-lifted]") !== null ||
    (board.contains(document.activeElement) && document.activeElement?.matches("input, textarea, select") === true);

  /** The newest counts, when the page shows it. */
  function look(sight: Sight | undefined): void {
    if (sight === undefined || !mayScroll({ busy: isBusy(), last }, performance.now())) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => scrollTo(board, sight));
  }

  function lookAtWork(): void {
    const state = replica.getState();
    const cardId = chat.getState().cardsAtWork.at(-1);
    if (cardId !== undefined && state !== null) look(sightOfCard(cardId, state));
  }

  const ends = [
    replica.onCommit((commit) => look(sightOf(commit, replica.getState(), me))),
    chat.subscribe(({ cardsAtWork }, before) => {
      if (cardsAtWork.length > 0 && cardsAtWork.at(-1) !== before.cardsAtWork.at(-1)) lookAtWork();
    }),
    () => cancelAnimationFrame(frame),
    () => life.abort(),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function scrollTo(board: HTMLElement, { columnId, card }: Sight): void {
  const column = [...board.querySelectorAll<HTMLElement>("[data-column-id]")].find(
    ({ dataset }) => dataset.columnId === columnId,
  );
  if (column === undefined) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  const across = distance(sideways(board), sideways(column), MARGIN);
  if (across !== 0) board.scrollTo({ left: board.scrollLeft + across, behavior });
  if (card === undefined) return;
  // In a long column only what is in sight is an element.
  if (cardElement(board, card.cardId) === undefined) reveal(board, columnId, card.index);
  const element = cardElement(board, card.cardId);
  const list = element?.closest<HTMLElement>("[data-cards]");
  if (!element || !list) return;
  const down = distance(upright(list), upright(element), MARGIN);
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
