import { defineState, memoryLog, openThread } from "@opstate/core";
import { z } from "zod";

export const board = defineState({
  name: "board",
  schema: z.object({
    cards: z.array(z.object({ id: z.string(), title: z.string(), done: z.boolean() })),
    open: z.int(),
  }),
  initial: { cards: [], open: 0 },
  derive: { "/open": (state) => state.cards.filter((card) => !card.done).length },
  operations: {
    add: {
      description: "Add a card",
      input: z.object({ title: z.string().min(1) }),
      apply(draft, { title }, { id }) {
        draft.cards.push({ id: id("T-"), title, done: false }); // such as T-8k2m4q9x1z
      },
    },
    finish: {
      description: "Mark a card as done",
      input: z.object({ id: z.string() }),
      apply(draft, { id }, { reject }) {
        const card = draft.cards.find((card) => card.id === id);
        if (!card)
          return reject("card_not_found", `No card "${id}"`, { available: draft.cards.map((card) => card.id) });
        card.done = true;
      },
    },
  },
});

export const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
