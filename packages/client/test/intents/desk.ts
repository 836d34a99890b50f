// A desk of lists and cards, with operations of every kind that an agent may be about to call: with
// a text that grows, with a text that decides an id, nested, without a text, removing, replacing.

import { createClient } from "@opstate/client";
import { type Actor, defineState, memoryLog, openThread } from "@opstate/core";
import { z } from "zod";

export const ada: Actor = { kind: "user", id: "ada" };
export const robot: Actor = { kind: "agent", id: "robot" };

const Text = z.string().min(1).max(40);
const FreeText = z.string().trim().min(1).max(40).meta({ freeText: true });

const Card = z.object({
  id: z.string(),
  title: Text,
  urgency: z.enum(["low", "high"]),
  notes: z.array(z.object({ body: z.string(), by: z.string() })),
});
const List = z.object({ id: z.string(), cards: z.array(Card), letters: z.int() });

export const DeskSchema = z.object({ lists: z.array(List), motto: z.string().optional() });

const START: z.infer<typeof DeskSchema> = {
  lists: [
    {
      id: "todo",
      letters: 8,
      cards: [
        { id: "T-4", title: "Plan", urgency: "low", notes: [] },
        { id: "T-42", title: "Sing", urgency: "high", notes: [] },
      ],
    },
    { id: "done", letters: 0, cards: [] },
  ],
};

export const desk = defineState({
  name: "desk",
  schema: DeskSchema,
  initial: START,
  derive: {
    "/lists/*/letters": (list) => list.cards.reduce((sum, { title }) => sum + title.length, 0),
  },
  operations: {
    add: {
      input: z.object({
        list: z.string(),
        title: FreeText,
        urgency: z.enum(["low", "high"]).default("low"),
        position: z.int().min(0).optional(),
      }),
      apply(draft, { list, title, urgency, position }, { reject, id }) {
        const into = draft.lists.find((each) => each.id === list);
        if (!into) return reject("list_not_found", `No list "${list}"`);
        into.cards.splice(position ?? into.cards.length, 0, { id: id("T-"), title, urgency, notes: [] });
      },
    },
    retitle: {
      input: z.object({ card: z.string(), title: FreeText }),
      apply(draft, { card, title }, { reject }) {
        const found = draft.lists.flatMap(({ cards }) => cards).find(({ id }) => id === card);
        if (!found) return reject("card_not_found", `No card "${card}"`);
        found.title = title;
      },
    },
    note: {
      input: z.object({
        card: z.string(),
        note: z.object({ by: z.string(), body: z.string().meta({ freeText: true }) }),
      }),
      apply(draft, { card, note }, { reject }) {
        const found = draft.lists.flatMap(({ cards }) => cards).find(({ id }) => id === card);
        if (!found) return reject("card_not_found", `No card "${card}"`);
        found.notes.push(note);
      },
    },
    open: {
      input: z.object({ name: z.string().min(1).meta({ freeText: true }) }),
      apply(draft, { name }, { reject }) {
        const id = name.toLowerCase().replace(/\W+/g, "-");
        if (draft.lists.some((each) => each.id === id)) return reject("list_exists", `There is "${id}"`);
        draft.lists.push({ id, cards: [], letters: 0 });
      },
    },
    say: {
      input: z.object({ motto: z.string().meta({ freeText: true }) }),
      apply(draft, { motto }) {
        draft.motto = motto;
      },
    },
    move: {
      input: z.object({ card: z.string().optional(), to: z.string() }),
      apply(draft, { card, to }, { reject }) {
        const into = draft.lists.find((each) => each.id === to);
        if (!into) return reject("list_not_found", `No list "${to}"`);
        // Without a card: every card.
        for (const list of draft.lists)
          for (const each of list.cards.filter(({ id }) => card === undefined || id === card)) {
            list.cards.splice(list.cards.indexOf(each), 1);
            into.cards.push(each);
          }
      },
    },
    remove: {
      input: z.object({ card: z.string(), why: z.string().optional().meta({ freeText: true }) }),
      apply(draft, { card }) {
        for (const { cards } of draft.lists) {
          const at = cards.findIndex(({ id }) => id === card);
          if (at >= 0) cards.splice(at, 1);
        }
      },
    },
    swap: {
      input: z.object({ card: z.string(), title: FreeText }),
      apply(draft, { card, title }, { id }) {
        for (const { cards } of draft.lists) {
          const at = cards.findIndex((each) => each.id === card);
          if (at >= 0) cards.splice(at, 1, { id: id("N-"), title, urgency: "high", notes: [{ body: "new", by: "x" }] });
        }
      },
    },
  },
});

export type Desk = typeof desk;

/** A thread, and a page of Ada that has it open. */
export async function openDesk() {
  const authority = await openThread({ definition: desk, log: memoryLog(), threadId: "desk" });
  const client = createClient({ threads: () => authority, actor: ada });
  const thread = client.thread(desk, "desk");
  const release = thread.subscribe(() => undefined);
  await thread.ready();
  return {
    authority,
    thread,
    /** The agent's call, as its tool submits it. */
    submit: (operation: unknown, call: { readonly toolCallId: string; readonly runId?: string }) =>
      authority.submit(operation, { actor: robot, ...call }),
    async close() {
      release();
      client.close();
      await authority.close();
    },
  };
}
