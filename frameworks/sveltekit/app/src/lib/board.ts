import { defineState } from "@opstate/core";
import { z } from "zod";

const title = z.string().min(1, "A card needs a title");

export const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(z.object({ id: z.string(), title, done: z.boolean() })), open: z.int() }),
  initial: { cards: [], open: 0 },
  derive: { "/open": (state) => state.cards.filter((card) => !card.done).length },
  operations: {
    add: {
      description: "Add a card",
      input: z.object({ title }),
      apply(draft, { title }, { id, reject }) {
        if (draft.open >= 3) return reject("too_many", "Three cards are open: finish one first");
        draft.cards.push({ id: id("T-"), title, done: false });
      },
    },
    finish: {
      description: "Mark a card as done",
      input: z.object({ id: z.string() }),
      apply(draft, { id }, { reject }) {
        const card = draft.cards.find((card) => card.id === id);
        if (!card) return reject("card_not_found", `No card "${id}"`);
        card.done = true;
      },
    },
  },
});
