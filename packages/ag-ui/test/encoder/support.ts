// A small board, and a client that does nothing but what the protocol says.

import type { AGUIEvent } from "@ag-ui/core";
import { defineState, memoryLog, openThread } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import { z } from "zod";

export const board = defineState({
  name: "board",
  version: 1,
  schema: z.object({
    title: z.string(),
    columns: z.array(
      z.object({ id: z.string(), count: z.int(), cards: z.array(z.object({ id: z.string(), done: z.boolean() })) }),
    ),
  }),
  initial: {
    title: "",
    columns: [
      { id: "todo", count: 0, cards: [] },
      { id: "done", count: 0, cards: [] },
    ],
  },
  derive: { "/columns/*/count": (column) => column.cards.length },
  operations: {
    rename: {
      input: z.object({ title: z.string() }),
      describe: ({ title }, before) => `Rename '${before.title}' to '${title}'`,
      apply: (draft, { title }) => void (draft.title = title),
    },
    add: {
      input: z.object({ column: z.int(), id: z.string(), at: z.int().optional() }),
      apply(draft, { column, id, at }, { reject }) {
        const target = draft.columns[column];
        if (!target) return reject("no_column", `No column ${column}`);
        target.cards.splice(at ?? target.cards.length, 0, { id, done: false });
      },
    },
    move: {
      input: z.object({ from: z.int(), to: z.int() }),
      apply(draft, { from, to }, { reject }) {
        const card = draft.columns[from]?.cards.shift();
        if (!card) return reject("no_card", "Nothing to move");
        draft.columns[to]?.cards.push(card);
      },
    },
    clear: {
      input: z.object({}),
      approve: ["agent"],
      apply(draft) {
        for (const column of draft.columns) column.cards.splice(0);
      },
    },
  },
});

export const ada = { kind: "user", id: "ada" };
export const robot = { kind: "agent", id: "robot" };

export const openBoard = () => openThread({ definition: board, log: memoryLog(), threadId: "launch" });

/**
 * The state of a client that takes every snapshot and delta; it throws when a delta does not apply.
 */
export function stateAfter(events: readonly AGUIEvent[]): unknown {
  let state: unknown = {};
  for (const event of events) {
    if (event.type === "STATE_SNAPSHOT") state = event.snapshot;
    if (event.type !== "STATE_DELTA") continue;
    const applied = applyPatch(state, event.delta);
    if (!applied.ok) throw new Error(applied.error.message);
    state = applied.document;
  }
  return state;
}

export const deltas = (events: readonly AGUIEvent[]) =>
  events.flatMap((event) => (event.type === "STATE_DELTA" ? [event] : []));

export const customs = (events: readonly AGUIEvent[], name: string) =>
  events.flatMap((event) => (event.type === "CUSTOM" && event.name === name ? [event.value] : []));
