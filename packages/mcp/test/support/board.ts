// A small board: what the tests of the endpoint share.

import { defineState } from "@opstate/core";
import { z } from "zod";

const Card = z.object({ id: z.string(), title: z.string() });

export const board = defineState({
  name: "board",
  schema: z.object({ columns: z.array(z.object({ title: z.string(), cards: z.array(Card) })) }),
  initial: {
    columns: [
      { title: "Todo", cards: [] },
      { title: "Done", cards: [] },
    ],
  },
  operations: {
    add: {
      description: "Add a card to the first column",
      input: z.object({ id: z.string(), title: z.string() }),
      describe: ({ id, title }) => `Add ${id}: ${title}`,
      apply(draft, card, { reject }) {
        if (draft.columns.some(({ cards }) => cards.some(({ id }) => id === card.id)))
          return reject("card_exists", `There is a card "${card.id}"`);
        draft.columns[0]?.cards.push(card);
      },
    },
    rename: {
      description: "Give the card at a place of the first column another title",
      input: z.object({ index: z.int(), title: z.string() }),
      apply(draft, { index, title }, { reject }) {
        const card = draft.columns[0]?.cards[index];
        if (!card) return reject("card_not_found", `No card at ${index}`, { cards: draft.columns[0]?.cards.length });
        card.title = title;
      },
    },
    clear: {
      description: "Remove all cards",
      input: z.object({}),
      approve: ["agent"],
      apply(draft) {
        for (const column of draft.columns) column.cards.splice(0);
      },
    },
    audit: {
      description: "For people only",
      input: z.object({}),
      allow: ["user"],
      apply(draft) {
        draft.columns.reverse();
      },
    },
  },
});

export const note = defineState({
  name: "note",
  schema: z.object({ text: z.string() }),
  initial: { text: "" },
  operations: {
    write: {
      input: z.object({ text: z.string() }),
      apply(draft, { text }) {
        draft.text = text;
      },
    },
  },
});

export const ada = { kind: "user", id: "ada" };
