// Finds cards and columns. It uses searching methods only, so a draft creates no proxies.

import { type Board, type Column, sameTitle } from "./schema.ts";

export interface CardPlace {
  readonly column: Column;
  readonly index: number;
}

export const findColumn = (board: Board, columnId: string): Column | undefined =>
  board.columns.find((column) => column.columnId === columnId);

export const findColumnByTitle = (board: Board, title: string): Column | undefined =>
  board.columns.find((column) => sameTitle(column.title) === sameTitle(title));

/** The column that holds a card, and where in it. */
export function findCard(board: Board, cardId: string): CardPlace | undefined {
  const column = board.columns.find(({ cards }) => cards.some((card) => card.cardId === cardId));
  return column && { column, index: column.cards.findIndex((card) => card.cardId === cardId) };
}
