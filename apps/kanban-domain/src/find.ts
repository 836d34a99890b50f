// Finds cards and columns. It uses searching methods only, so a draft creates no proxies.

import { type Card, type Column, sameTitle } from "./schema.ts";

/** A board or a draft of one: what is found in a draft is a draft. */
interface Columns<C extends Column> {
  readonly columns: readonly C[];
}

export interface CardPlace<C extends Column = Column> {
  readonly column: C;
  readonly index: number;
}

export const findColumn = <C extends Column>({ columns }: Columns<C>, columnId: string): C | undefined =>
  columns.find((column) => column.columnId === columnId);

export const findColumnByTitle = <C extends Column>({ columns }: Columns<C>, title: string): C | undefined =>
  columns.find((column) => sameTitle(column.title) === sameTitle(title));

/** The column that holds a card, and where in it. */
export function findCard<C extends Column>({ columns }: Columns<C>, cardId: string): CardPlace<C> | undefined {
  const column = columns.find(({ cards }) => cards.some((card) => card.cardId === cardId));
  return column && { column, index: column.cards.findIndex((card) => card.cardId === cardId) };
}

/** `'Send invoices' (T-31)`; undefined if there is no such card. */
export function namedCard(board: Columns<Column>, cardId: string): string | undefined {
  const place = findCard(board, cardId);
  const card = place?.column.cards[place.index];
  return card && cardName(card);
}

/** `'Send invoices' (T-31)` */
export const cardName = ({ title, cardId }: Pick<Card, "title" | "cardId">): string => `'${title}' (${cardId})`;
