// The board as opstate has it, in production mode, and its updates without the ceremony around a
// verdict.

import { defineState } from "@opstate/core";
import { z } from "zod";
import { type Board, BoardSchema, MoveInput, moveOn } from "./boards.ts";

const AddInput = z.object({ title: z.string(), cardId: z.string().optional() });

export const definition = defineState({
  name: "board",
  schema: BoardSchema,
  initial: null,
  derive: { "/columns/*/cardCount": (column) => column.cards.length },
  operations: {
    move: { input: MoveInput, apply: (draft, input) => void moveOn(draft, input) },
    add: {
      input: AddInput,
      apply: (draft, { title, cardId }, { id }) =>
        void draft.columns[0]?.cards.push({ cardId: cardId ?? id("T-"), title, priority: 3 }),
    },
  },
});

/** The next board; a refusal is a mistake in the benchmark. */
export function transition(board: Board, update: unknown): Board {
  const result = definition.transition(board, update);
  if (!result.accepted || result.state === null)
    throw new Error(result.accepted ? "no board" : result.rejection.message);
  // The type of the peers, which edit it.
  return result.state as Board;
}
