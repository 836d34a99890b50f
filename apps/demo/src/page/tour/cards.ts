// Cards for a moment, chosen on the board as it is, so that a moment can be played again.

import { type Board, type Card, type Column, findCard } from "@opstate/kanban-domain";

export interface Step {
  readonly card: Card;
  readonly from: Column;
  readonly to: Column;
}

/** So many cards that can go one column on, from the left. Throws an Error when there are fewer. */
export function nextSteps(board: Board | null, count: number): readonly Step[] {
  const columns = board?.columns ?? [];
  const steps = columns.flatMap((from, index) => {
    const to = columns[index + 1];
    return to === undefined ? [] : from.cards.map((card) => ({ card, from, to }));
  });
  if (steps.length < count) throw new Error("Too few cards can move on this board. Begin again with a new one.");
  return steps.slice(0, count);
}

/** `"Dark mode for the settings page" (T-2)`; of a card that is gone, its id. */
export function nameOfCard(board: Board | null, cardId: string): string {
  const found = board && findCard(board, cardId);
  const title = found?.column.cards[found.index]?.title;
  return title === undefined ? cardId : `“${title}” (${cardId})`;
}
