// A small board: what the server's tests share.

import { defineState } from "@opstate/core";
import { z } from "zod";

const Card = z.object({ cardId: z.string(), title: z.string().max(200), note: z.string().max(100_000).optional() });
const Column = z.object({ columnId: z.string(), cardCount: z.int(), cards: z.array(Card) });

export const board = defineState({
  name: "board",
  version: 1,
  schema: z.object({ columns: z.array(Column) }),
  initial: {
    columns: [
      { columnId: "todo", cardCount: 0, cards: [] },
      { columnId: "done", cardCount: 0, cards: [] },
    ],
  },
  derive: { "/columns/*/cardCount": (column) => column.cards.length },
  operations: {
    addCard: {
      description: "Add a card to a column",
      input: z.object({ columnId: z.string(), cardId: z.string(), title: z.string() }),
      apply(draft, { columnId, cardId, title }, { reject }) {
        const column = draft.columns.find((candidate) => candidate.columnId === columnId);
        if (!column)
          return reject("column_not_found", `No column "${columnId}"`, {
            available: draft.columns.map((candidate) => candidate.columnId),
          });
        column.cards.push({ cardId, title });
      },
    },
    rename: {
      description: "Give a card another title",
      input: z.object({ cardId: z.string(), title: z.string() }),
      apply(draft, { cardId, title }, { reject }) {
        const card = draft.columns.flatMap((column) => column.cards).find((candidate) => candidate.cardId === cardId);
        if (!card) return reject("card_not_found", `No card "${cardId}"`);
        card.title = title;
      },
    },
    annotate: {
      description: "Write a long note on a card",
      input: z.object({ cardId: z.string(), note: z.string() }),
      apply(draft, { cardId, note }, { reject }) {
        const card = draft.columns.flatMap((column) => column.cards).find((candidate) => candidate.cardId === cardId);
        if (!card) return reject("card_not_found", `No card "${cardId}"`);
        card.note = note;
      },
    },
    clear: {
      description: "Remove all cards of a column",
      input: z.object({ columnId: z.string() }),
      allow: ["agent"],
      apply(draft, { columnId }) {
        for (const column of draft.columns) if (column.columnId === columnId) column.cards.splice(0);
      },
    },
  },
});

export const note = defineState({
  name: "note",
  version: 1,
  schema: z.object({ text: z.string() }),
  initial: { text: "" },
  operations: {},
});

export const addCard = (cardId: string, title = `Card ${cardId}`, columnId = "todo") =>
  board.op.addCard({ columnId, cardId, title });
