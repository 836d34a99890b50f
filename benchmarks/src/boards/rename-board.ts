// A board of 100 cards whose cards are renamed: small states, for what threads and logs cost beside
// the reducer.

import { type Actor, type AnyDefinition, defineState, type Log, openThread, type Thread } from "@opstate/core";
import { z } from "zod";
import { BoardSchema, makeBoard } from "./boards.ts";

const CARDS = 100;
const COLUMNS = makeBoard(CARDS).columns.length;
const PER_COLUMN = CARDS / COLUMNS;

export const ada: Actor = { kind: "user", id: "ada" };
export const robot: Actor = { kind: "agent", id: "robot" };

export const renameBoard = defineState({
  name: "board",
  schema: BoardSchema,
  initial: makeBoard(CARDS),
  operations: {
    rename: {
      description: "Give a card another title",
      input: z.object({ column: z.int(), card: z.int(), title: z.string() }),
      apply(draft, { column, card, title }, { reject }) {
        const found = draft.columns[column]?.cards[card];
        if (!found) return reject("card_not_found", `Column ${column} has no card ${card}`);
        found.title = title;
      },
    },
  },
});

/** Another card each time, and a title that no card has. */
export function renameOf(n: number) {
  return renameBoard.op.rename({
    column: n % COLUMNS,
    card: Math.floor(n / COLUMNS) % PER_COLUMN,
    title: `Title ${n} of a card`,
  });
}

export function openBoard(log: Log, threadId: string): Promise<Thread<typeof renameBoard>> {
  return openThread({ definition: renameBoard, log, threadId });
}

/**
 * Renames until the thread has so many commits, as fast as it takes them: the dispatches of one
 * group wait together.
 */
export async function lengthen(thread: Thread<typeof renameBoard>, commits: number): Promise<void> {
  while (thread.version < commits) {
    const group = Math.min(256, commits - thread.version);
    const from = thread.version;
    await Promise.all(
      Array.from({ length: group }, (_, n) =>
        thread.dispatch(renameOf(from + n), { actor: (from + n) % 3 === 0 ? robot : ada }),
      ),
    );
  }
}

/** What a definition is where its types do not matter. */
export const DEFINITIONS: readonly AnyDefinition[] = [renameBoard];
