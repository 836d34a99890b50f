// Boards of every size, the moves that are made on them, and the schema: the same for all
// candidates.

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

const COLUMNS = 20;

export const SIZES: readonly number[] = [100, 1_000, 10_000, 100_000];

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

export const MoveInput = z.object({ cardId: z.string(), fromColumn: z.string().optional(), toColumn: z.string() });

/** The head of a size's column in a table. */
export function cardsHead(cards: number): string {
  return `${cards.toLocaleString("en")} cards`;
}

/**
 * Read from JSON text, as states are that come from a log or from a server: the texts that code
 * makes piece by piece lie elsewhere in memory, and every search waits for them.
 */
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
  return JSON.parse(JSON.stringify({ columns })) as Board;
}

/**
 * Moves that are legal one after another from `makeBoard(cards)`: a card out of the middle of each
 * column, to the next column's end.
 */
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

/** The column that holds the card: searched for over the board, or named by the operation. */
function source(board: Board, { cardId, fromColumn }: Move): Column | undefined {
  return fromColumn === undefined
    ? board.columns.find((column) => column.cards.some((card) => card.cardId === cardId))
    : board.columns.find((column) => column.columnId === fromColumn);
}

/**
 * The natural code on a draft, the same for every drafting library. Gives the columns that it
 * touched.
 */
export function moveOn(draft: Board, move: Move): readonly Column[] {
  const from = source(draft, move);
  const to = draft.columns.find((column) => column.columnId === move.toColumn);
  if (!from || !to) return [];
  const index = from.cards.findIndex((card) => card.cardId === move.cardId);
  const [card] = from.cards.splice(index, 1);
  if (!card) return [];
  to.cards.push(card);
  return [from, to];
}

export function moveAndCount(draft: Board, move: Move): void {
  for (const column of moveOn(draft, move)) column.cardCount = column.cards.length;
}

/** The same by hand, without a draft. */
export function moveBySpreads(board: Board, move: Move): Board {
  const from = source(board, move);
  const index = from?.cards.findIndex((card) => card.cardId === move.cardId) ?? -1;
  const card = from?.cards[index];
  if (!card) return board;
  return {
    ...board,
    columns: board.columns.map((column) => {
      if (column === from) {
        const cards = [...column.cards];
        cards.splice(index, 1);
        return { ...column, cards, cardCount: cards.length };
      }
      if (column.columnId === move.toColumn) {
        const cards = [...column.cards, card];
        return { ...column, cards, cardCount: cards.length };
      }
      return column;
    }),
  };
}
