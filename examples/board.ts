// The one definition that the server and every agent share.

import { defineState } from "@opstate/core";
import { z } from "zod";

export const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(z.object({ id: z.string(), title: z.string() })) }),
  initial: { cards: [] },
  operations: {
    add: {
      description: "Add a card",
      input: z.object({ title: z.string().max(200) }),
      apply(draft, { title }, { id, reject }) {
        if (draft.cards.some((card) => card.title === title))
          return reject("card_exists", `There is a card "${title}"`);
        draft.cards.push({ id: id("T-"), title });
      },
    },
  },
});

export const url = "http://127.0.0.1:4310";
export const headers = { authorization: "Bearer planner" };
export const actor = { kind: "agent", id: "planner" };
