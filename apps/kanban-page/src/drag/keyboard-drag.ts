// Moving a card with the keyboard: Space lifts it, arrows choose the place, Space or Enter drops
// it, Escape cancels. Without a lifted card the arrows move the focus.

import { type Board, namedCard } from "@opstate/kanban-domain";
import { cardElement, columnElement, type DropTarget, dropLineOf } from "./drop-target.ts";
import type { Overlay } from "./overlay.ts";
import { reveal } from "./reveal.ts";

export interface KeyboardHandlers {
  board(): Board | null;
  say(sentence: string): void;
  lifted(cardId: string): void;
  dropped(cardId: string, target: DropTarget): void;
}

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const;
type Arrow = (typeof ARROWS)[number];

/** Makes the cards of a board movable by keyboard. Returns the function that detaches it. */
export function attachKeyboardDrag(element: HTMLElement, overlay: Overlay, handlers: KeyboardHandlers): () => void {
  let lifted: { readonly cardId: string; readonly target: DropTarget } | undefined;
  const controller = new AbortController();
  const { signal } = controller;

  const key = (event: KeyboardEvent) => {
    const card =
      event.target instanceof HTMLElement && event.target.matches("[data-card-id]") ? event.target : undefined;
    const cardId = card?.dataset.cardId;
    const board = handlers.board();
    if (!card || !cardId || !board || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS.find((each) => each === event.key);
    if (lifted && (event.key === " " || event.key === "Enter")) drop();
    else if (event.key === " ") lift(board, card, cardId);
    else if (lifted && event.key === "Escape") endLift(staysWords(board, cardId));
    else if (lifted && arrow) aim(board, stepTarget(board, lifted.cardId, lifted.target, arrow));
    else if (arrow) focusNext(element, board, cardId, arrow);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  function lift(board: Board, card: HTMLElement, cardId: string) {
    const target = placeOf(board, cardId);
    if (!target) return;
    lifted = { cardId, target };
    handlers.lifted(cardId);
    card.setAttribute("data-lifted", "");
    show();
    handlers.say(
      `${nameIn(board, cardId)} lifted. ${placeInWords(board, cardId, target)}. Arrow keys choose the place, Space drops, Escape cancels.`,
    );
  }

  function aim(board: Board, target: DropTarget) {
    if (!lifted) return;
    lifted = { cardId: lifted.cardId, target };
    reveal(element, target.columnId, target.index);
    const line = show();
    handlers.say(`${placeInWords(board, lifted.cardId, target)}.`);
    line?.scrollIntoView({ block: "nearest", inline: "nearest" });
    show();
  }

  /** Draws the drop line. Returns the element beside it. */
  function show(): HTMLElement | undefined {
    if (!lifted) return undefined;
    overlay.line(dropLineOf(element, lifted.target, lifted.cardId));
    const { columnId, index } = lifted.target;
    const column = columnElement(element, columnId);
    const cards = [...(column?.querySelectorAll<HTMLElement>("[data-card-id]") ?? [])];
    return (
      cards.find((card) => Number(card.dataset.index) === index) ?? cards[Math.min(index, cards.length - 1)] ?? column
    );
  }

  function drop() {
    const dropped = lifted;
    endLift(undefined);
    if (dropped) handlers.dropped(dropped.cardId, dropped.target);
  }

  function endLift(sentence: string | undefined) {
    if (!lifted) return;
    cardElement(element, lifted.cardId)?.removeAttribute("data-lifted");
    lifted = undefined;
    overlay.line(undefined);
    if (sentence) handlers.say(sentence);
  }

  element.addEventListener("keydown", key, { signal });
  element.addEventListener("focusout", () => endLift(lifted && staysWords(handlers.board(), lifted.cardId)), {
    signal,
  });
  element.addEventListener("scroll", () => void show(), { signal, capture: true, passive: true });
  return () => {
    endLift(undefined);
    controller.abort();
  };
}

const nameIn = (board: Board | null, cardId: string): string => (board && namedCard(board, cardId)) ?? cardId;
export const staysWords = (board: Board | null, cardId: string): string => notMovedWords(nameIn(board, cardId));

export const notMovedWords = (name: string): string => `Not moved: ${name} stays where it was.`;

/** The target one step in a direction; the same one at the board's edge. */
export function stepTarget(board: Board, cardId: string, target: DropTarget, arrow: Arrow): DropTarget {
  const at = board.columns.findIndex((column) => column.columnId === target.columnId);
  const sideways = arrow === "ArrowLeft" ? -1 : arrow === "ArrowRight" ? 1 : 0;
  const column = board.columns[at + sideways] ?? board.columns[at];
  if (!column) return target;
  const others = column.cards.filter((card) => card.cardId !== cardId).length;
  const step = arrow === "ArrowUp" ? -1 : arrow === "ArrowDown" ? 1 : 0;
  return { columnId: column.columnId, index: Math.max(0, Math.min(target.index + step, others)) };
}

/** "In Progress, position 2 of 5", counted with the card in it. */
export function placeInWords(board: Board, cardId: string, { columnId, index }: DropTarget): string {
  const column = board.columns.find((each) => each.columnId === columnId);
  const others = column?.cards.filter((card) => card.cardId !== cardId).length ?? 0;
  return `${column?.title ?? columnId}, position ${Math.min(index, others) + 1} of ${others + 1}`;
}

/** Where a card is: the target that would leave it there. */
export function placeOf(board: Board, cardId: string): DropTarget | undefined {
  for (const { columnId, cards } of board.columns) {
    const index = cards.findIndex((card) => card.cardId === cardId);
    if (index >= 0) return { columnId, index };
  }
  return undefined;
}

function focusNext(element: HTMLElement, board: Board, cardId: string, arrow: Arrow) {
  const here = placeOf(board, cardId);
  if (!here) return;
  const at = board.columns.findIndex((column) => column.columnId === here.columnId);
  const step = arrow === "ArrowLeft" || arrow === "ArrowUp" ? -1 : 1;
  if (arrow === "ArrowUp" || arrow === "ArrowDown") return focusCard(element, board, at, here.index + step);
  // Past empty columns, to the card at the same height.
  for (let next = at + step; board.columns[next]; next += step) {
    const cards = board.columns[next]?.cards ?? [];
    if (cards.length > 0) return focusCard(element, board, next, Math.min(here.index, cards.length - 1));
  }
}

function focusCard(element: HTMLElement, board: Board, columnIndex: number, index: number) {
  const column = board.columns[columnIndex];
  const cardId = column?.cards[index]?.cardId;
  if (!column || cardId === undefined) return;
  reveal(element, column.columnId, index);
  cardElement(element, cardId)?.focus();
}
