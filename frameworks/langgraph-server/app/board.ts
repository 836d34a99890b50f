import { defineState } from "@opstate/core";
import { z } from "zod";

const columns = ["todo", "doing", "done"] as const;
const title = z.string().min(1, "A card needs a title");

export const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(z.object({ id: z.string(), title, column: z.enum(columns) })) }),
  initial: { cards: [] },
  operations: {
    add: {
      description: "Add a card",
      input: z.object({ title }),
      apply(draft, { title }, { id }) {
        draft.cards.push({ id: id("T-"), title, column: "todo" });
      },
    },
    move: {
      description: "Move a card to another column",
      input: z.object({ id: z.string(), to: z.enum(columns) }),
      apply(draft, { id, to }, { reject }) {
        const card = draft.cards.find((card) => card.id === id);
        if (!card) return reject("card_not_found", `No card "${id}"`);
        card.column = to;
      },
    },
    remove: {
      description: "Remove a card for good",
      input: z.object({ id: z.string() }),
      approve: ["agent"], // an agent needs a person's approval
      apply(draft, { id }, { reject }) {
        if (!draft.cards.some((card) => card.id === id)) return reject("card_not_found", `No card "${id}"`);
        draft.cards = draft.cards.filter((card) => card.id !== id);
      },
    },
  },
});
