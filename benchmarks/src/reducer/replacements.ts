// Updates that are not one small operation: the whole state sent anew, a hundred operations at
// once, an edit far below the root.

import fastJsonPatch from "fast-json-patch";
import { produceWithPatches } from "immer";
import { create } from "mutative";
import {
  type Board,
  BoardSchema,
  cardsHead,
  makeBoard,
  makeMoves,
  type Move,
  moveAndCount,
  moveBySpreads,
  SIZES,
} from "../boards/boards.ts";
import { candidates as deepEdits } from "./deep.ts";
import { transition } from "../boards/definition.ts";
import { measure, type Run } from "../harness/measure.ts";
import { mutativePatches } from "../boards/peers.ts";
import { columnsOf, type Table } from "../harness/results.ts";

interface Args {
  readonly cards: number;
}

const BATCH = 100;

const replacements = {
  "a full zod parse alone": replacement((_, value) => BoardSchema.parse(value)),
  "**opstate**: copied, checked, derived, unchanged parts shared, both patches": replacement(transition),
  "a full zod parse, then fast-json-patch both ways": replacement((board, value) => {
    const next = BoardSchema.parse(value);
    fastJsonPatch.compare(board, next);
    fastJsonPatch.compare(next, board);
    return next;
  }),
};

const batches = {
  "hand-written spreads, one after another": batch((board, moves) => moves.reduce(moveBySpreads, board)),
  "**opstate**: one `$batch`": batch((board, moves) =>
    transition(board, { type: "$batch", operations: moves.map((move) => ({ type: "move", ...move })) }),
  ),
  "opstate: one after another": batch((board, moves) =>
    moves.reduce((next, move) => transition(next, { type: "move", ...move }), board),
  ),
  "structuredClone, all moves, then a full zod parse": batch((board, moves) => {
    const next = structuredClone(board);
    for (const move of moves) moveAndCount(next, move);
    return BoardSchema.parse(next);
  }),
  "immer 11, one recipe, both patches": batch(
    (board, moves) => produceWithPatches(board, (draft) => moves.forEach((move) => moveAndCount(draft, move)))[0],
  ),
  "mutative 2, one recipe, both patches": batch(
    (board, moves) => create(board, (draft) => moves.forEach((move) => moveAndCount(draft, move)), mutativePatches)[0],
  ),
};

/** For the processes that run them.
 * @public */
export const candidates = { ...replacements, ...batches };

/** Two copies of a board take turns; they differ in the title of one card in the middle. */
function replacement(step: (board: Board, value: Board) => Board): (args: Args) => Run {
  return ({ cards }) => {
    const values = ["One", "Other"].map((title) => {
      const value = makeBoard(cards);
      const inMiddle = value.columns[10]?.cards;
      const card = inMiddle?.[inMiddle.length >> 1];
      if (card !== undefined) card.title = title;
      return value;
    });
    let board = step(makeBoard(cards), values[0] as Board);
    let next = 0;
    return (count) => {
      for (let i = 0; i < count; i++) {
        next = 1 - next;
        board = step(board, values[next] as Board);
      }
    };
  };
}

/** The same moves from the same board each time. */
function batch(step: (board: Board, moves: readonly Move[]) => Board): (args: Args) => Run {
  return ({ cards }) => {
    const [first, ...rest] = makeMoves(cards, true);
    const start = moveBySpreads(makeBoard(cards), first as Move);
    const moves = rest.slice(0, BATCH);
    return (count) => {
      for (let i = 0; i < count; i++) step(start, moves);
    };
  };
}

export async function replacementTables(): Promise<readonly Table[]> {
  const module = new URL(import.meta.url);
  const bySize = (sizes: readonly number[], rows: typeof replacements | typeof batches) =>
    columnsOf(sizes, cardsHead, (cards) => measure<Args>(module, rows, { cards }));
  return [
    {
      title: "Replace the board by a fresh copy with one title changed",
      unit: "µs",
      growth: true,
      columns: await bySize(SIZES, replacements),
    },
    { title: `${BATCH} moves at once`, unit: "µs", growth: true, columns: await bySize(SIZES.slice(1), batches) },
    {
      title: "Change one field at the bottom of a deep document",
      unit: "µs",
      columns: await columnsOf(
        [5, 20, 50],
        (depth) => `depth ${depth}`,
        (depth) => measure(new URL("deep.ts", import.meta.url), deepEdits, { depth }),
      ),
    },
  ];
}
