import { defineState } from "@opstate/core";
import { z } from "zod";

const title = z.string().min(1, "A card needs a title");

export const board = defineState({
  name: "board",
  schema: z.object({
    title: z.string().min(1),
    isAgreed: z.boolean(),
    cards: z.array(z.object({ cardId: z.string(), title })),
  }),
  initial: { title: "Plan", isAgreed: false, cards: [] },
  operations: {
    rename: {
      description: "Give the board another title",
      input: z.object({ title: z.string().meta({ freeText: true }) }),
      apply(draft, { title }, { reject, actor }) {
        if (draft.isAgreed && actor?.kind === "agent") return reject("agreed", "An agreed plan is renamed by people");
        draft.title = title;
      },
    },
    add: {
      description: "Add a card",
      input: z.object({ cardId: z.string(), title }),
      apply(draft, { cardId, title }, { reject }) {
        if (draft.cards.some((card) => card.cardId === cardId)) return reject("there_already");
        draft.cards.push({ cardId, title });
      },
    },
    agree: {
      description: "Say that the plan is agreed",
      input: z.object({ isAgreed: z.boolean() }),
      allow: ["agent"],
      apply: (draft, { isAgreed }) => void (draft.isAgreed = isAgreed),
    },
    remove: {
      description: "Remove a card for good",
      input: z.object({ cardId: z.string() }),
      approve: ["agent"], // an agent needs a person's approval
      apply(draft, { cardId }, { reject }) {
        if (!draft.cards.some((card) => card.cardId === cardId)) return reject("card_not_found", `No card "${cardId}"`);
        draft.cards = draft.cards.filter((card) => card.cardId !== cardId);
      },
    },
  },
});
