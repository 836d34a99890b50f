// The state of the simulation: the tally of the other tests, and cards beside it that operations
// create with ids of their own and find by position. And a quick comparison: the generic one would
// cost more than the rest of a check.

import { defineState, type StateOf } from "@opstate/core";
import { z } from "zod";

const at = z.object({ at: z.int() });

export const tally = defineState({
  name: "tally",
  schema: z.object({
    count: z.int().max(1_000_000),
    names: z.array(z.string()),
    size: z.int(),
    cards: z.array(z.object({ id: z.string(), text: z.string() })),
  }),
  initial: { count: 0, names: [], size: 0, cards: [] },
  derive: { "/size": (state) => state.names.length },
  operations: {
    add: {
      description: "Add to the count.",
      input: z.object({ by: z.int() }),
      apply(draft, { by }, { reject }) {
        if (by > 100) return reject("too_much", `${by} is more than 100`, { most: 100 });
        draft.count += by;
      },
    },
    name: {
      description: "Put a name on the list",
      input: z.object({ name: z.string() }),
      apply(draft, { name }, { reject }) {
        if (draft.names.includes(name)) return reject("name_taken", `"${name}" is on the list`, { names: draft.names });
        draft.names.push(name);
      },
    },
    unname: {
      input: z.object({ name: z.string() }),
      apply(draft, { name }, { reject }) {
        const index = draft.names.indexOf(name);
        if (index < 0) return reject("name_not_found", `No "${name}" on the list`, { names: draft.names });
        draft.names.splice(index, 1);
      },
    },
    reset: { input: z.object({}), allow: ["user"], apply: (draft) => void (draft.count = 0) },
    wipe: { input: z.object({}), approve: ["agent"], apply: (draft) => void (draft.names = []) },
    put: {
      description: "Create a card at a position",
      input: z.object({ at: z.int(), text: z.string() }),
      apply: (draft, { at, text }, { id }) => void draft.cards.splice(at, 0, { id: id("T-"), text }),
    },
    write: {
      description: "Write on the card at a position",
      input: z.object({ at: z.int(), text: z.string() }),
      apply(draft, { at, text }, { reject }) {
        const card = draft.cards[at];
        if (!card) return reject("no_card");
        card.text = text;
      },
    },
    writeOn: {
      description: "Write on the card with an id",
      input: z.object({ id: z.string(), text: z.string() }),
      apply(draft, { id, text }, { reject }) {
        const card = draft.cards.find((each) => each.id === id);
        if (!card) return reject("no_card");
        card.text = text;
      },
    },
    drop: {
      description: "Remove the card at a position",
      input: at,
      apply: (draft, { at }) => void draft.cards.splice(at, 1),
    },
    lift: {
      description: "Move the card at a position to the top",
      input: at,
      apply(draft, { at }) {
        draft.cards.unshift(...draft.cards.splice(at, 1));
      },
    },
  },
});

export type Tally = StateOf<typeof tally>;

/** Deep equality. */
export function sameTally(a: Tally, b: Tally): boolean {
  if (a === b) return true;
  return (
    Object.keys(a).length === Object.keys(b).length &&
    a.count === b.count &&
    a.size === b.size &&
    a.names.length === b.names.length &&
    a.names.every((name, index) => name === b.names[index]) &&
    a.cards.length === b.cards.length &&
    a.cards.every(({ id, text }, index) => id === b.cards[index]?.id && text === b.cards[index]?.text)
  );
}

/**
 * The things that an operation changed: cards by their ids, which never change, and "" for
 * the rest of the state, in which cards are created and ordered.
 */
export function touched(before: Tally, after: Tally): ReadonlySet<string> {
  const things = new Set<string>();
  if (before === after) return things;
  const isSameTally = before.count === after.count && before.names.join() === after.names.join();
  if (!isSameTally) things.add("");
  if (before.cards === after.cards) return things;
  const now = new Map(after.cards.map(({ id, text }) => [id, text]));
  for (const { id, text } of before.cards) if (now.get(id) !== text) things.add(id);
  const left = before.cards.map(({ id }) => id).filter((id) => now.has(id));
  const order = after.cards.map(({ id }) => id);
  if (order.length !== left.length || order.some((id, index) => id !== left[index])) things.add("");
  return things;
}

/** Whether all of some things are among others. */
export function isWithin(things: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const thing of things) if (!others.has(thing)) return false;
  return true;
}

/** Whether none of some things is among others. */
export function isApart(things: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const thing of things) if (others.has(thing)) return false;
  return true;
}
