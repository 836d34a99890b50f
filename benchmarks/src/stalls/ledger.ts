// What the requests of the section work on: one definition with a record, a list and a text, so
// that each row can be as large as a definition allows.

import { type Actor, type AnyDefinition, defineState } from "@opstate/core";
import { z } from "zod";

export const ada: Actor = { kind: "user", id: "ada" };
/** May do nothing. */
export const eve: Actor = { kind: "user", id: "eve" };
export const robot: Actor = { kind: "agent", id: "robot" };

export const ledger = defineState({
  name: "ledger",
  schema: z.object({
    text: z.string(),
    count: z.int(),
    entries: z.record(z.string(), z.string()),
    cards: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
  initial: { text: "", count: 0, entries: {}, cards: [] },
  limits: { operation: { bytes: 2_000_000 } },
  operations: {
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
      input: z.object({ id: z.string(), title: z.string() }),
      apply(draft, card) {
        draft.cards.push(card);
      },
    },
    rename: {
      input: z.object({ id: z.string(), title: z.string() }),
      apply(draft, { id, title }, { reject }) {
        const card = draft.cards.find((candidate) => candidate.id === id);
        if (!card) return reject("card_not_found", `No card "${id}"`);
        card.title = title;
      },
    },
    increment: {
      input: z.object({}),
      apply(draft) {
        draft.count += 1;
      },
    },
  },
});

/** What a definition is where its types do not matter. */
export const DEFINITIONS: readonly AnyDefinition[] = [ledger];
