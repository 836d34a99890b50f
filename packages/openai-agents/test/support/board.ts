// A small board: an operation that needs approval, one with a key, one for people only.

import { defineState } from "@opstate/core";
import { z } from "zod";

export const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(z.object({ id: z.string(), title: z.string() })), paid: z.int() }),
  initial: { cards: [], paid: 0 },
  operations: {
    add: {
      description: "Add a card",
      input: z.object({ id: z.string(), title: z.string() }),
      describe: ({ id, title }) => `Add ${id}: ${title}`,
      apply(draft, card, { reject }) {
        if (draft.cards.some(({ id }) => id === card.id)) return reject("card_exists", `There is a card "${card.id}"`);
        draft.cards.push(card);
      },
    },
    rename: {
      description: "Give the card at a place another title",
      input: z.object({ index: z.int(), title: z.string() }),
      apply(draft, { index, title }, { reject }) {
        const card = draft.cards[index];
        if (!card) return reject("card_not_found", `No card at ${index}`);
        card.title = title;
      },
    },
    pay: {
      description: "Pay an invoice",
      input: z.object({ invoice: z.string() }),
      once: ({ invoice }) => invoice,
      apply(draft) {
        draft.paid += 1;
      },
    },
    clear: {
      description: "Remove all cards",
      input: z.object({}),
      approve: ["agent"],
      apply(draft) {
        draft.cards.splice(0);
      },
    },
    audit: {
      description: "For people only",
      input: z.object({}),
      allow: ["user"],
      apply(draft) {
        draft.paid = 0;
      },
    },
  },
});

export const ada = { kind: "user", id: "ada" };
export const planner = { kind: "agent", id: "planner" };
