// A list whose operations write in the callbacks of array methods: what the page's build and the
// server run alike.

import { defineState } from "@opstate/core";
import { z } from "zod";

const Card = z.object({ id: z.string(), done: z.boolean(), tags: z.array(z.string()) });
export type Card = z.output<typeof Card>;

/** Three cards, and lists of tags of both lengths: short ones are frozen when they are read. */
const cards: Card[] = ["T-1", "T-2", "T-3"].map((id, n) => ({
  id,
  done: false,
  tags: Array.from({ length: n === 1 ? 300 : 2 }, (_, tag) => `t${tag}`),
}));

export const WRITES = {
  some: (list) => list.some((card) => (card.done = true)),
  someTag: (list) => list.some((card) => card.tags.push("x") > 0),
  someLongTag: (list) => list.some((card) => card.tags.length > 99 && card.tags.push("x") > 0),
  every: (list) => list.every((card) => (card.done = true)),
  find: (list) => list.find((card) => (card.done = true)),
  findIndex: (list) => list.findIndex((card) => card.tags.sort()[0] === "none"),
  findLast: (list) => list.findLast((card) => (card.done = true)),
  findLastIndex: (list) => list.findLastIndex((card) => card.tags.pop() === "none"),
  filter: (list) => list.filter((card) => (card.done = true)),
  map: (list) => list.map((card) => card.tags.push("x")),
  reduce: (list) => list.reduce((sum, card) => sum + card.tags.push("x"), 0),
  sort: (list) => list.sort((a, b) => a.tags.push("x") - b.tags.push("x")),
  flatMap: (list) => list.flatMap((card) => card.tags.splice(0, 1)),
  forEach: (list) => list.forEach((card) => (card.done = !card.done)),
  forOf(list) {
    for (const card of list) card.tags.unshift("y");
  },
  changeWhatWasFound(list) {
    list.find(({ id }) => id === "T-2")!.done = true;
  },
} satisfies Readonly<Record<string, (list: Card[]) => unknown>>;

export type Write = keyof typeof WRITES;

export const list = defineState({
  name: "list",
  schema: z.object({ cards: z.array(Card) }),
  initial: { cards },
  operations: Object.fromEntries(
    Object.entries<(list: Card[]) => unknown>(WRITES).map(([type, write]) => [
      type,
      { input: z.object({}), apply: (draft: { cards: Card[] }) => void write(draft.cards) },
    ]),
  ),
});
