// Where a card is in the board's state, as a JSON Pointer, and the card at one.

import { type Board, findCard } from "@opstate/kanban-domain";

export function pointerOf(board: Board, cardId: string): string | undefined {
  const place = findCard(board, cardId);
  return place && `/columns/${board.columns.indexOf(place.column)}/cards/${place.index}`;
}

/** The card that a JSON Pointer leads to or into. */
export function cardIdAt(pointer: string, board: Board): string | undefined {
  const [, column, card] = /^\/columns\/(\d+)\/cards\/(\d+)/.exec(pointer) ?? [];
  return board.columns[Number(column)]?.cards[Number(card)]?.cardId;
}
