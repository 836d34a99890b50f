// One move of a card with its derived count, as each library would have it written: natural code that finds by id.

import { defineState } from "@opstate/core";
import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { enablePatches, produce, produceWithPatches, setAutoFreeze } from "immer";
import { create } from "mutative";
import { z } from "zod";
import { type Board, BoardSchema, type Column, makeBoard, makeMoves, type Move } from "./boards.ts";

/** A reducer of moves, as a function of the board. */
interface Mover {
  readonly name: string;
  readonly step: (board: Board, move: Move) => Board;
}

/** The column that holds the card: searched for over the board, or named by the operation. */
function source(board: Board, { cardId, fromColumn }: Move): Column | undefined {
  return fromColumn === undefined
    ? board.columns.find((column) => column.cards.some((card) => card.cardId === cardId))
    : board.columns.find((column) => column.columnId === fromColumn);
}

/** The natural code on a draft, the same for every drafting library. */
function moveOn(draft: Board, move: Move): readonly Column[] {
  const from = source(draft, move);
  const to = draft.columns.find((column) => column.columnId === move.toColumn);
  if (!from || !to) return [];
  const index = from.cards.findIndex((card) => card.cardId === move.cardId);
  const [card] = from.cards.splice(index, 1);
  if (!card) return [];
  to.cards.push(card);
  return [from, to];
}

function moveAndCount(draft: Board, move: Move): void {
  for (const column of moveOn(draft, move)) column.cardCount = column.cards.length;
}

const spreads: Mover = {
  name: "hand-written spreads",
  step(board, move) {
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
      input: z.object({ cardId: z.string(), fromColumn: z.string().optional(), toColumn: z.string() }),
      apply: (draft, input) => void moveOn(draft, input),
    },
  },
});

enablePatches();
setAutoFreeze(false);

const empty: Board = { columns: [] };
const slice = createSlice({
  name: "board",
  initialState: empty,
  reducers: { move: (draft, { payload }: PayloadAction<Move>) => moveAndCount(draft, payload) },
});

const rfc6902 = { enablePatches: { pathAsArray: false, arrayLengthAssignment: false } } as const;

const movers: readonly Mover[] = [
  spreads,
  {
    name: "**opstate**: operation parsed, applied, derived, touched parts validated, both patches",
    step(board, move) {
      const result = opstate.transition(board, { type: "move", ...move });
      if (!result.accepted || result.state === null) throw new Error(result.accepted ? "no board" : result.rejection.message);
      return result.state;
    },
  },
  {
    name: "structuredClone, then a full zod parse",
    step(board, move) {
      const next = structuredClone(board);
      moveAndCount(next, move);
      return BoardSchema.parse(next);
    },
  },
  { name: "immer 11, both patches", step: (board, move) => produceWithPatches(board, (draft) => moveAndCount(draft, move))[0] },
  { name: "immer 11, no patches", step: (board, move) => produce(board, (draft) => moveAndCount(draft, move)) },
  { name: "mutative 2, both patches", step: (board, move) => create(board, (draft) => moveAndCount(draft, move), rfc6902)[0] },
  { name: "mutative 2, no patches", step: (board, move) => create(board, (draft) => moveAndCount(draft, move)) },
  { name: "Redux Toolkit createSlice", step: (board, move) => slice.reducer(board, slice.actions.move(move)) },
];

export const moverNames: readonly string[] = movers.map(({ name }) => name);

export interface MoverArgs {
  readonly mover: number;
  readonly cards: number;
  readonly named: boolean;
}

/** Goes through the moves from the start, again and again: the start is immutable, so going back to it costs nothing. */
export function prepare({ mover, cards, named }: MoverArgs): (count: number) => void {
  const step = movers[mover]?.step;
  const [first, ...rest] = makeMoves(cards, named);
  if (step === undefined || first === undefined) throw new Error(`there is no mover ${mover}, or no move on ${cards} cards`);
  // One move ahead, so that a library that adopts a foreign state has done so.
  const start = step(makeBoard(cards), first);
  let board = start;
  let next = 0;
  return (count) => {
    for (let i = 0; i < count; i++) {
      const move = rest[next];
      if (move === undefined) {
        board = start;
        next = 0;
      } else {
        board = step(board, move);
        next += 1;
      }
    }
  };
}
