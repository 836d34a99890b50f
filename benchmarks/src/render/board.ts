// The board of the render benchmark: its one edit by hand, and as an operation.

import { defineState } from "@opstate/core";
import { z } from "zod";
import { type Board, BoardSchema, type Card, makeBoard } from "../boards/boards.ts";

export const initial: Board = makeBoard(1_000);

/** Where a component finds its card, and the card's id. */
export interface Place {
  readonly column: number;
  readonly card: number;
  readonly cardId: string;
}

export const places: readonly Place[] = initial.columns.flatMap(({ cards }, column) =>
  cards.map(({ cardId }, card) => ({ column, card, cardId })),
);

/** The title at a place; every component reads this. */
export function titleAt(board: ReadonlyBoard, { column, card }: Place): string | undefined {
  return board.columns[column]?.cards[card]?.title;
}

type ReadonlyBoard = { readonly columns: readonly { readonly cards: readonly Readonly<Card>[] }[] };

/** The card of this id, to be written to. */
export function cardOf(board: Board, cardId: string): Card | undefined {
  const column = board.columns.find(({ cards }) => cards.some((card) => card.cardId === cardId));
  return column?.cards.find((card) => card.cardId === cardId);
}

/** The same edit without a draft. */
export function renamed(board: Board, cardId: string, title: string): Board {
  const from = board.columns.find(({ cards }) => cards.some((card) => card.cardId === cardId));
  return {
    ...board,
    columns: board.columns.map((column) =>
      column === from
        ? { ...column, cards: column.cards.map((card) => (card.cardId === cardId ? { ...card, title } : card)) }
        : column,
    ),
  };
}

export const renderBoard = defineState({
  name: "board",
  schema: BoardSchema,
  initial,
  operations: {
    rename: {
      input: z.object({ cardId: z.string(), title: z.string() }),
      apply(draft, { cardId, title }, { reject }) {
        const card = cardOf(draft, cardId);
        if (card === undefined) return reject("card_not_found", `No card "${cardId}"`);
        card.title = title;
      },
    },
  },
});
