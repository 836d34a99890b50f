// The board of the script: small, and with every way in which a call can end.

import { defineState } from "@opstate/core";
import { z } from "zod";

const Card = z.object({ id: z.string(), title: z.string() });

export const board = defineState({
  name: "board",
  schema: z.object({ todo: z.array(Card), done: z.array(Card), paid: z.int() }),
  initial: {
    todo: ["A", "B", "C"].map((id) => ({ id, title: `Card ${id}` })),
    done: [],
    paid: 0,
  },
  operations: {
    add: {
      description: "Add a card",
      input: z.object({ id: z.string(), title: z.string().max(40) }),
      describe: ({ id, title }) => `Add ${id}: ${title}`,
      apply(draft, card, { reject }) {
        if ([...draft.todo, ...draft.done].some(({ id }) => id === card.id))
          return reject("card_exists", `There is a card "${card.id}"`);
        draft.todo.push(card);
      },
    },
    rename: {
      description: "Give the card at a place another title",
      input: z.object({ index: z.int(), title: z.string() }),
      apply(draft, { index, title }, { reject }) {
        const card = draft.todo[index];
        if (!card) return reject("card_not_found", `No card at ${index}`, { cards: draft.todo.length });
        card.title = title;
      },
    },
    finish: {
      description: "Move a card to the finished ones",
      input: z.object({ id: z.string() }),
      apply(draft, { id }, { reject }) {
        const at = draft.todo.findIndex((card) => card.id === id);
        if (at < 0)
          return reject("card_not_found", `No card "${id}" to do`, { cards: draft.todo.map((card) => card.id) });
        draft.done.push(...draft.todo.splice(at, 1));
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
      description: "Remove the finished cards",
      input: z.object({}),
      approve: ["agent"],
      apply(draft) {
        draft.done.splice(0);
      },
    },
  },
});

export const ada = { kind: "user", id: "ada" };
export const planner = { kind: "agent", id: "planner" };
