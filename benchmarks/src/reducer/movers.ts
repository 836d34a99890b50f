// One move of a card with its derived count, as each library would have it written: natural code
// that finds by id.

import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { produce, produceWithPatches } from "immer";
import { create } from "mutative";
import {
  type Board,
  BoardSchema,
  makeBoard,
  makeMoves,
  type Move,
  moveAndCount,
  moveBySpreads,
  moveOn,
} from "../boards/boards.ts";
import { transition } from "../boards/definition.ts";
import { deepFreeze, FrozenParts, recordingDrafts } from "../boards/internals.ts";
import type { Run } from "../harness/measure.ts";
import { mutativePatches } from "../boards/peers.ts";

export interface MoverArgs {
  readonly cards: number;
  /** Whether the operation names the column that the card leaves. */
  readonly named: boolean;
}

/** Rows that budgets and the plot speak of. */
export const ROW = {
  hand: "hand-written spreads",
  whole: "**opstate**: operation parsed, applied, derived, touched parts validated, both patches",
  draft: "opstate's draft, derive and both patches only",
  clone: "structuredClone, then a full zod parse",
  immer: "immer 11, both patches",
  mutative: "mutative 2, both patches",
  redux: "Redux Toolkit createSlice",
} as const;

const cardCount = {
  container: ["columns", "*"],
  field: "cardCount",
  compute: (column: unknown) => (column as Board["columns"][number]).cards.length,
};

/** As in production. */
const frozen = new FrozenParts("objects");

const empty: Board = { columns: [] };
const slice = createSlice({
  name: "board",
  initialState: empty,
  reducers: { move: (draft, { payload }: PayloadAction<Move>) => moveAndCount(draft, payload) },
});

export const candidates = {
  [ROW.hand]: mover(moveBySpreads),
  [ROW.whole]: mover((board, move) => transition(board, { type: "move", ...move })),
  [ROW.draft]: mover((board, move) => {
    const drafting = recordingDrafts.begin(board, { freeze: "objects", frozen });
    moveOn(drafting.draft as Board, move);
    drafting.derive(cardCount);
    return drafting.finish().state as Board;
  }),
  [ROW.clone]: mover((board, move) => {
    const next = structuredClone(board);
    moveAndCount(next, move);
    return BoardSchema.parse(next);
  }),
  [ROW.immer]: mover((board, move) => produceWithPatches(board, (draft) => moveAndCount(draft, move))[0]),
  "immer 11, no patches": mover((board, move) => produce(board, (draft) => moveAndCount(draft, move))),
  [ROW.mutative]: mover((board, move) => create(board, (draft) => moveAndCount(draft, move), mutativePatches)[0]),
  "mutative 2, no patches": mover((board, move) => create(board, (draft) => moveAndCount(draft, move))),
  [ROW.redux]: mover((board, move) => slice.reducer(board, slice.actions.move(move))),
};

/**
 * Goes through the moves from the start, again and again: the start is immutable, so going back to
 * it costs nothing.
 */
const production = (board: Board): Board => deepFreeze(board, "objects");
function mover(step: (board: Board, move: Move) => Board): (args: MoverArgs) => Run {
  return ({ cards, named }) => {
    const [first, ...rest] = makeMoves(cards, named);
    if (first === undefined) throw new Error(`there is no move on ${cards} cards`);
    // One move ahead, so that a library that adopts a foreign state has done so.
    const start = step(production(makeBoard(cards)), first);
    let board = start;
    let next = 0;
    return (count) => {
      for (let i = 0; i < count; i++) {
        if (next === rest.length) {
          board = start;
          next = 0;
        }
        board = step(board, rest[next] as Move);
        next += 1;
      }
    };
  };
}
