// What the threads of the soak hold: a record, a list, a text and a number, each with a bound, so
// that a thread stays as large as its definition allows.

import { defineState } from "@opstate/core";
import { z } from "zod";

export const KEYS = 5_000;
export const CARDS = 500;

export const tally = defineState({
  name: "tally",
  schema: z.object({
    count: z.int(),
    text: z.string(),
    entries: z.record(z.string(), z.string()),
    cards: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
  initial: { count: 0, text: "", entries: {}, cards: [] },
  limits: { operation: { bytes: 250_000 } },
  operations: {
    increment: {
      input: z.object({}),
      apply(draft) {
        draft.count += 1;
      },
    },
    put: {
      input: z.object({ key: z.string(), value: z.string() }),
      apply(draft, { key, value }) {
        draft.entries[key] = value;
      },
    },
    write: {
      input: z.object({ text: z.string() }),
      apply(draft, { text }) {
        draft.text = text;
      },
    },
    add: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }, { id }) {
        if (draft.cards.length >= CARDS) draft.cards.shift();
        draft.cards.push({ id: id("T-"), title });
      },
    },
    rename: {
      input: z.object({ index: z.int(), title: z.string() }),
      apply(draft, { index, title }, { reject }) {
        const card = draft.cards[index];
        if (card === undefined) return reject("no_card", `No card at ${index}`);
        card.title = title;
      },
    },
  },
});
