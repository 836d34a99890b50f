// A board whose agent may move cards, and remove them with a person's approval.

import { defineState } from "@opstate/core";
import { z } from "zod";

const Card = z.object({ id: z.string(), title: z.string(), column: z.enum(["todo", "done"]) });

export const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(Card) }),
  initial: { cards: [] },
  operations: {
    move: {
      description: "Move a card to another column",
      input: z.object({ id: z.string(), column: z.enum(["todo", "done"]) }),
      apply(draft, { id, column }, { reject }) {
        const card = draft.cards.find((card) => card.id === id);
        if (!card) return reject("card_not_found", `No card "${id}"`, { available: draft.cards.map(({ id }) => id) });
        card.column = column;
      },
    },
    remove: {
      description: "Remove a card",
      input: z.object({ id: z.string() }),
      approve: ["agent"],
      apply(draft, { id }, { reject }) {
        if (!draft.cards.some((card) => card.id === id)) return reject("card_not_found", `No card "${id}"`);
        draft.cards = draft.cards.filter((card) => card.id !== id);
      },
    },
  },
});

export const cards = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `T-${index}`,
    title: `Card ${index} of the board`,
    column: "todo" as const,
  }));
