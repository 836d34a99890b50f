// A process of its own, run with NODE_ENV=production on the built core: operations whose callbacks
// write to their arguments. `write` sends them all; `read` only opens the thread. Prints the final
// state.

import { defineState, openThread } from "@opstate/core";
import { immerDrafts } from "@opstate/core/immer";
import { z } from "zod";
import { sqliteLog } from "../../../src/sqlite/index.ts";

const Card = z.object({ id: z.string(), done: z.boolean(), tags: z.array(z.string()), days: z.array(z.number()) });
type Card = z.output<typeof Card>;
const input = z.object({});
const cards = Array.from({ length: 100 }, (_, n): Card => ({
  id: `T-${n}`,
  done: false,
  tags: ["a"],
  days: Array.from({ length: n % 2 === 0 ? 3 : 300 }, (__, day) => 300 - day),
}));

/** Writes inside callbacks of reading methods. */
const WRITES: Readonly<Record<string, (list: Card[]) => unknown>> = {
  some: (list) => list.some((card) => (card.done = true)),
  someTag: (list) => list.some((card) => card.tags.push("x") > 99),
  someDay: (list) => list.some((card) => card.days.push(1) > 400),
  every: (list) => list.every((card) => delete (card as Partial<Card>).tags),
  find: (list) => list.find((card) => (card.done = true)),
  findIndex: (list) => list.findIndex((card) => card.days.sort((a, b) => a - b)[0] === 0),
  findLast: (list) => list.findLast((card) => (card.done = true)),
  findLastIndex: (list) => list.findLastIndex((card) => card.days.reverse()[0] === 0),
  filter: (list) => list.filter((card) => (card.id += "!")),
  all: (list) => list.some((_, __, all) => all.pop() !== undefined),
  sort: (list) => list.sort((a, b) => a.days.push(1) - b.days.push(1)),
  nested: (list) => list.some((card) => card.days.some((_, index, days) => (days[index] = -1))),
  map: (list) => list.map((card) => card.days.push(2)),
  reduce: (list) => list.reduce((sum, card) => sum + card.days.push(3), 0),
  flatMap: (list) => list.flatMap((card) => card.tags.splice(0)),
  copy: (list) => [...list].some((card) => card.days.push(4)),
  spread: (list) => list.some((card) => ({ ...card }).days.push(5)),
  entries: (list) => Object.entries<Card>({ ...list }).some(([, card]) => card.tags.push("y")),
  values: (list) => Object.values<Card>({ ...list }).forEach((card) => card.days.sort((a, b) => a - b)),
  at: (list) => list.at(list.indexOf(list[3]!))!.days.push(6),
};

const [, , mode, path = "", drafts = ""] = process.argv;
const list = defineState({
  name: "list",
  schema: z.object({
    cards: z.array(Card),
    first: z.number(),
    byId: z.record(z.string(), z.object({ days: z.array(z.number()) })),
  }),
  initial: { cards, first: 1, byId: { a: { days: cards[1]!.days } } },
  // A rule that sorts its argument in place.
  derive: { "/first": (state) => ((state.cards[1]?.days ?? []) as number[]).sort((a, b) => a - b)[0] ?? 0 },
  ...(drafts === "immer" ? { drafts: immerDrafts } : {}),
  operations: {
    ...Object.fromEntries(
      Object.entries(WRITES).map(([name, write]) => [
        name,
        { input, apply: (draft: { cards: Card[] }) => void write(draft.cards) },
      ]),
    ),
    record: { input, apply: (draft) => void Object.values(draft.byId).some(({ days }) => days.push(7)) },
    touch: { input: z.object({ n: z.int() }), apply: (draft, { n }) => void (draft.cards[n]!.done = true) },
  },
});

const log = sqliteLog({ path });
const thread = await openThread({ definition: list, log, threadId: "t" });
const verdicts: Record<string, unknown> = {};
if (mode === "write") {
  const actor = { kind: "user", id: "ada" } as const;
  for (const type of [...Object.keys(WRITES), "record"]) {
    const before = JSON.stringify(thread.getState());
    const verdict = await thread.submit({ type }, { actor });
    const isSame = before === JSON.stringify(thread.getState());
    verdicts[type] = verdict.accepted
      ? isSame
        ? "accepted, the same"
        : "accepted, changed"
      : verdict.rejection.message;
    // A refused operation, or one without a commit, must change nothing.
    if (!isSame && (!verdict.accepted || verdict.commit === undefined))
      verdicts[type] = `SILENT: ${String(verdicts[type])}`;
  }
  await thread.dispatch({ type: "touch", n: 1 } as never, { actor });
}
process.stdout.write(JSON.stringify({ version: thread.version, verdicts, state: thread.getState() }));
await thread.close();
await log.close();
