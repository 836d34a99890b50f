// Is the board still valid after a card was moved: the touched parts alone, and the whole.

import { type Board, BoardSchema, cardsHead, makeBoard, makeMoves, moveAndCount, SIZES } from "../boards/boards.ts";
import { compileValidator, recordingDrafts } from "../boards/internals.ts";
import { measure, type Run } from "../harness/measure.ts";
import { columnsOf, type Table } from "../harness/results.ts";

export const VALIDATION = "Validate a board after a move";
export const TOUCHED = "touched parts, by the draft's record";

const validator = compileValidator(BoardSchema);

type Edit = ReturnType<typeof edits>[number];

/** As many as stay in the processor's cache: an edit is checked as soon as it is made. */
const EDITS = 20;

/** A chain of boards, each with the draft's record of how it came from the one before. */
function edits(cards: number) {
  let board: object = makeBoard(cards);
  const moves = makeMoves(cards, true).slice(0, EDITS);
  return moves.map((move) => {
    const drafting = recordingDrafts.begin(board, { freeze: false });
    moveAndCount(drafting.draft as Board, move);
    const { state, touched } = drafting.finish();
    const edit = { before: board, after: state, touched };
    board = state;
    return edit;
  });
}

export const candidates = {
  [TOUCHED]: validation(({ before, after, touched }) => validator.touched(before, after, touched).ok),
  "touched parts, by comparing references": validation(({ before, after }) => validator.touched(before, after).ok),
  "the whole, by the same walk": validation(({ after }) => validator.full(after).ok),
  "the whole, by zod": validation(({ after }) => BoardSchema.safeParse(after).success),
};

function validation(check: (edit: Edit) => boolean): (args: { readonly cards: number }) => Run {
  return ({ cards }) => {
    const made = edits(cards);
    let next = 0;
    return (count) => {
      for (let i = 0; i < count; i++) {
        if (!check(made[next] as Edit)) throw new Error("a valid board was found invalid");
        next = (next + 1) % made.length;
      }
    };
  };
}

export async function validationTables(): Promise<readonly Table[]> {
  const module = new URL(import.meta.url);
  const columns = await columnsOf(SIZES.slice(1), cardsHead, (cards) => measure(module, candidates, { cards }));
  return [{ title: VALIDATION, unit: "µs", growth: true, columns }];
}
