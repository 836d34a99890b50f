// One move of a card with its derived count, as each library would have it written: natural code that finds by id.

import { defineState } from "@opstate/core";
import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { enablePatches, produce, produceWithPatches, setAutoFreeze } from "immer";
import { create } from "mutative";
import { z } from "zod";
import { type Board, BoardSchema, type Move } from "./boards.ts";

/** A reducer of moves, as a function of the board. */
export interface Mover {
  readonly name: string;
  readonly step: (board: Board, move: Move) => Board;
  /** The share of a round's time that it gets: for those that take a second for one move. */
  readonly share?: number;
}

/** The natural code on a draft, the same for every drafting library. */
function moveOn(draft: Board, { cardId, fromColumn, toColumn }: Move): void {
  const from = draft.columns.find((column) => column.columnId === fromColumn);
  const to = draft.columns.find((column) => column.columnId === toColumn);
  if (!from || !to) return;
  const index = from.cards.findIndex((card) => card.cardId === cardId);
  const [card] = from.cards.splice(index, 1);
  if (!card) return;
  to.cards.push(card);
}

function recount(draft: Board, { fromColumn, toColumn }: Move): void {
  for (const column of draft.columns)
    if (column.columnId === fromColumn || column.columnId === toColumn) column.cardCount = column.cards.length;
}

function moveAndCount(draft: Board, move: Move): void {
  moveOn(draft, move);
  recount(draft, move);
}

const spreads: Mover = {
  name: "hand-written spreads",
  step(board, { cardId, fromColumn, toColumn }) {
    const from = board.columns.find((column) => column.columnId === fromColumn);
    const index = from?.cards.findIndex((card) => card.cardId === cardId) ?? -1;
    const card = from?.cards[index];
    if (!card) return board;
    return {
      ...board,
      columns: board.columns.map((column) => {
        if (column.columnId === fromColumn) {
          const cards = [...column.cards];
          cards.splice(index, 1);
          return { ...column, cards, cardCount: cards.length };
        }
        if (column.columnId === toColumn) {
          const cards = [...column.cards, card];
          return { ...column, cards, cardCount: cards.length };
        }
        return column;
      }),
    };
  },
};

const opstate = defineState({
  name: "board",
  schema: BoardSchema,
  initial: null,
  freeze: false,
  derive: { "/columns/*/cardCount": (column) => column.cards.length },
  operations: {
    move: {
      input: z.object({ cardId: z.string(), fromColumn: z.string(), toColumn: z.string() }),
      apply: (draft, input) => moveOn(draft, { type: "move", ...input }),
    },
  },
});

enablePatches();
setAutoFreeze(false);

const slice = createSlice({
  name: "board",
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the board comes in with each call
  initialState: { columns: [] } as Board,
  reducers: { move: (draft, { payload }: PayloadAction<Move>) => moveAndCount(draft, payload) },
});

export const movers: readonly Mover[] = [
  spreads,
  {
    name: "opstate (operation parsed, both patches, derived, touched validation)",
    step: (board, move) => opstate.reduce(board, move) ?? board,
  },
  {
    name: "structuredClone + full zod (both ways of the article)",
    share: 0.2,
    step: (board, move) => {
      const next = structuredClone(board);
      moveAndCount(next, move);
      return BoardSchema.parse(next);
    },
  },
  { name: "immer 11, no freeze, no patches", step: (board, move) => produce(board, (draft) => moveAndCount(draft, move)) },
  { name: "immer 11, both patches", step: (board, move) => produceWithPatches(board, (draft) => moveAndCount(draft, move))[0] },
  { name: "mutative 2, no patches", step: (board, move) => create(board, (draft) => moveAndCount(draft, move)) },
  {
    name: "mutative 2, both patches",
    step: (board, move) =>
      create(board, (draft) => moveAndCount(draft, move), { enablePatches: { pathAsArray: false, arrayLengthAssignment: false } })[0],
  },
  { name: "Redux Toolkit createSlice", step: (board, move) => slice.reducer(board, slice.actions.move(move)) },
];
