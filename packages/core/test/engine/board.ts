// The board that the engine's tests share: derived counts, a bounded list, unique ids, an operation
// that throws, one for agents only.

import { defineState } from "@opstate/core";
import { z } from "zod";

const Card = z.object({ cardId: z.string().min(1), title: z.string(), priority: z.int().min(1).max(5).optional() });
const Column = z.object({ columnId: z.string(), title: z.string(), cardCount: z.int(), cards: z.array(Card).max(12) });
export const Board = z
  .object({ columns: z.array(Column), total: z.int() })
  .refine(
    (board) => unique(board.columns.flatMap((column) => column.cards.map((card) => card.cardId))),
    "card ids must be unique",
  );

function unique(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}

export const failures: unknown[] = [];

export const board = defineState({
  name: "board",
  schema: Board,
  initial: null,
  freeze: true,
  derive: {
    "/columns/*/cardCount": (column) => column.cards.length,
    "/total": (state) => state.columns.reduce((sum, column) => sum + column.cards.length, 0),
  },
  operations: {
    add: {
      description: "Add a card to a column",
      input: z.object({ column: z.int().min(0), cardId: z.string(), title: z.string() }),
      apply(draft, { column, cardId, title }, { reject }) {
        const into = draft.columns[column];
        if (!into) return reject("column_not_found", `There is no column ${column}`, { columns: draft.columns.length });
        into.cards.push({ cardId, title });
      },
    },
    move: {
      description: "Move a card",
      input: z.object({ cardId: z.string(), to: z.int().min(0), position: z.int().min(0).optional() }),
      apply(draft, { cardId, to, position }, { reject }) {
        const into = draft.columns[to];
        const from = draft.columns.find((column) => column.cards.some((card) => card.cardId === cardId));
        if (!into || !from)
          return reject("not_found", "No such card or column", {
            columns: draft.columns.map((column) => column.columnId),
          });
        const [card] = from.cards.splice(
          from.cards.findIndex((card) => card.cardId === cardId),
          1,
        );
        if (card) into.cards.splice(position ?? into.cards.length, 0, card);
      },
    },
    clear: {
      input: z.object({ column: z.int() }),
      apply(draft, { column }) {
        const found = draft.columns[column];
        if (found) found.cards = [];
      },
    },
    /** Tries to leave a derived field wrong. */
    lie: {
      input: z.object({ column: z.int() }),
      apply(draft, { column }) {
        const found = draft.columns[column];
        if (found) found.cardCount = 99;
      },
    },
    /** Edits, then refuses: nothing of the edit may stay. */
    regret: {
      input: z.object({}),
      apply(draft, _, { reject }) {
        draft.columns = [];
        return reject("regretted", "Changed my mind");
      },
    },
    crash: {
      input: z.object({}),
      apply(draft) {
        draft.columns.length = 0;
        throw new Error("a bug with a secret in it");
      },
    },
    /** Breaks the schema when the column is full, or the priority is out of bounds. */
    rate: {
      input: z.object({ cardId: z.string(), priority: z.number() }),
      apply(draft, { cardId, priority }) {
        for (const column of draft.columns)
          for (const card of column.cards) if (card.cardId === cardId) card.priority = priority;
      },
    },
    audit: { input: z.object({}), allow: ["agent"], apply: () => undefined },
    wipe: {
      input: z.object({}),
      approve: ["agent"],
      apply(draft) {
        draft.columns = [];
      },
    },
  },
  onFailure: (error) => void failures.push(error),
});

export function sample() {
  const built = board.transition(null, {
    columns: [
      { columnId: "todo", title: "To do", cards: [card("T-1"), card("T-2"), card("T-3")] },
      { columnId: "done", title: "Done", cards: [card("T-4")] },
    ],
  });
  if (!built.accepted || built.state === null) throw new Error("the sample does not fit");
  return built.state;
}

function card(cardId: string) {
  return { cardId, title: `Card ${cardId}` };
}
