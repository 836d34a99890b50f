// A small board, and threads of it.

import { defineState, memoryLog, openThread, type Actor, type StateOf } from "@opstate/core";
import * as z from "zod";

const Card = z.object({ cardId: z.string(), title: z.string() });
const Column = z.object({ columnId: z.string(), cardCount: z.int(), cards: z.array(Card) });

export const board = defineState({
  name: "board",
  schema: z.object({ columns: z.array(Column) }),
  initial: null,
  derive: { "/columns/*/cardCount": (column) => column.cards.length },
  operations: {
    move: {
      description: "Move a card to another column",
      input: z.object({ cardId: z.string(), to: z.string() }),
      apply(draft, { cardId, to }, { reject }) {
        const from = draft.columns.find((column) => column.cards.some((card) => card.cardId === cardId));
        const target = draft.columns.find((column) => column.columnId === to);
        if (!from)
          return reject("card_not_found", `No card "${cardId}"`, {
            available: draft.columns.flatMap((column) => column.cards.map((card) => card.cardId)),
          });
        if (!target)
          return reject("column_not_found", `No column "${to}"`, {
            available: draft.columns.map((column) => column.columnId),
          });
        const [card] = from.cards.splice(
          from.cards.findIndex((candidate) => candidate.cardId === cardId),
          1,
        );
        if (card) target.cards.push(card);
      },
    },
    remove: {
      description: "Remove a card",
      input: z.object({ cardId: z.string() }),
      apply(draft, { cardId }, { reject }) {
        const column = draft.columns.find((candidate) => candidate.cards.some((card) => card.cardId === cardId));
        if (!column) return reject("card_not_found", `No card "${cardId}"`);
        column.cards.splice(
          column.cards.findIndex((card) => card.cardId === cardId),
          1,
        );
      },
    },
    rename: {
      description: "Give a card another title",
      input: z.object({ cardId: z.string(), title: z.string() }),
      apply(draft, { cardId, title }, { reject }) {
        const card = draft.columns.flatMap((column) => column.cards).find((candidate) => candidate.cardId === cardId);
        if (!card) return reject("card_not_found", `No card "${cardId}"`);
        card.title = title;
      },
    },
    archive: {
      description: "Only for people",
      input: z.object({}),
      allow: ["user"],
      apply(draft) {
        draft.columns = [];
      },
    },
    explode: {
      description: "A reducer with a bug",
      input: z.object({}),
      apply() {
        throw new Error("boom");
      },
    },
  },
  onFailure: () => undefined,
});

export type Board = NonNullable<StateOf<typeof board>>;

export const ada: Actor = { kind: "user", id: "ada" };
export const agent: Actor = { kind: "agent", id: "agent" };

/** Columns "todo" (T-1, T-2, T-3) and "done". */
export const sample: Board = {
  columns: [
    {
      columnId: "todo",
      cardCount: 3,
      cards: ["T-1", "T-2", "T-3"].map((cardId) => ({ cardId, title: `Task ${cardId}` })),
    },
    { columnId: "done", cardCount: 0, cards: [] },
  ],
};

let threads = 0;

/** A thread at version 1, with the sample. */
export async function openSample(threadId = `thread-${++threads}`) {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId });
  await thread.dispatch({ type: "$replace", value: sample }, { actor: { kind: "system", id: "test" } });
  return thread;
}

/** The card ids by column. */
export function layout(state: StateOf<typeof board>): Record<string, string[]> {
  return Object.fromEntries(
    (state?.columns ?? []).map((column) => [column.columnId, column.cards.map((card) => card.cardId)]),
  );
}
