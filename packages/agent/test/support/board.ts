// A small board for the tests of sessions and of the hosts over them: what needs approval, what has
// a key, what is for people only.

import { defineState, memoryLog, openThread, type Log } from "@opstate/core";
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
      input: z.object({ invoice: z.string(), amount: z.int().default(1), note: z.string().optional() }),
      once: ({ invoice, amount }) => `${invoice} ${amount}`,
      apply(draft, { amount }) {
        draft.paid += amount;
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

export const planner = { kind: "agent", id: "planner" };
export const ada = { kind: "user", id: "ada" };

export const openBoard = (log: Log = memoryLog()) => openThread({ definition: board, log, threadId: "board" });
