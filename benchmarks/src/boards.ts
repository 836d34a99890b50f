// Boards of every size, the moves that are made on them, and the schema: the same for all candidates.

import { z } from "zod";

export interface Card {
  cardId: string;
  title: string;
  priority: number;
}
export interface Column {
  columnId: string;
  title: string;
  cardCount: number;
  cards: Card[];
}
export interface Board {
  columns: Column[];
}
export interface Move {
  readonly cardId: string;
  /** Left out: the card is searched for over the whole board. */
  readonly fromColumn?: string | undefined;
  readonly toColumn: string;
}

export const COLUMNS = 20;

export const BoardSchema = z.object({
  columns: z.array(
    z.object({
      columnId: z.string(),
      title: z.string(),
      cardCount: z.int().min(0),
      cards: z.array(z.object({ cardId: z.string(), title: z.string(), priority: z.int().min(1).max(5) })),
    }),
  ),
});

export function makeBoard(cards: number): Board {
  const perColumn = cards / COLUMNS;
  const columns = Array.from({ length: COLUMNS }, (_, c) => ({
    columnId: `column-${c}`,
    title: `Column ${c}`,
    cardCount: perColumn,
    cards: Array.from({ length: perColumn }, (_, i) => ({
      cardId: `T-${c}-${i}`,
      title: `Card ${i} of column ${c}`,
      priority: 1 + ((c + i) % 5),
    })),
  }));
  return { columns };
}

/** Moves that are legal one after another from `makeBoard(cards)`: a card out of the middle of each column, to the next column's end. */
export function makeMoves(cards: number, named: boolean): readonly Move[] {
  const perColumn = cards / COLUMNS;
  const rounds = Math.min(perColumn, 10);
  const first = Math.floor((perColumn - rounds) / 2);
  return Array.from({ length: rounds * COLUMNS }, (_, n) => {
    const c = n % COLUMNS;
    const from = named ? { fromColumn: `column-${c}` } : {};
    return { cardId: `T-${c}-${first + Math.floor(n / COLUMNS)}`, ...from, toColumn: `column-${(c + 1) % COLUMNS}` };
  });
}
