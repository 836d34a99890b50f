// What is read and found, against every item looked at by hand.

import { readToolsOf } from "@opstate/agent";
import { defineState } from "@opstate/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { runs } from "../../../../tools/runs.ts";

const Card = z.object({ id: z.string(), title: z.string(), notes: z.string() });
const lists = defineState({
  name: "lists",
  schema: z.object({ lists: z.array(z.object({ id: z.string(), cards: z.array(Card) })) }),
  initial: { lists: [] },
  operations: {},
});

/** Few letters, so that texts meet; and what a line or a tag would be broken by. */
const text = fc.string({ unit: fc.constantFrom("a", "B", "é", "İ", "<", "\n", '"', "😀", " "), maxLength: 12 });
const states = fc.record({
  lists: fc.array(
    fc.record({
      id: text.map((id) => `L${id}`),
      cards: fc.array(fc.record({ id: text.map((id) => `C${id}`), title: text, notes: text }), { maxLength: 30 }),
    }),
    { maxLength: 6 },
  ),
});
const asked = { numRuns: runs(200) };
const [read, find] = readToolsOf(lists, { characters: 2000 });

const plain = (value: string): string => value.normalize("NFKC").toLowerCase();

it("finds every item that has the text, in order, and no other one", () => {
  fc.assert(
    fc.property(states, text, fc.nat(7), (state, wanted, at) => {
      fc.pre(wanted.trim() !== "");
      const has = (...texts: readonly string[]) => texts.some((one) => plain(one).includes(plain(wanted.trim())));
      const where = at < state.lists.length ? `/lists/${at}` : "";
      const expected = state.lists.flatMap((list, l) => [
        ...(has(list.id) ? [`/lists/${l}`] : []),
        ...list.cards.flatMap((card, c) => (has(card.id, card.title, card.notes) ? [`/lists/${l}/cards/${c}`] : [])),
      ]);
      const inside = expected.filter((pointer) => where === "" || `${pointer}/`.startsWith(`${where}/`));
      const [head = "", ...lines] = find.run({ state }, { text: wanted, where, limit: 1000 }).split("\n");
      const shown = lines.filter((line) => line.startsWith("/")).map((line) => /^[/\w]+/.exec(line)?.[0]);
      expect(shown).toEqual(inside.slice(0, shown.length));
      expect(Number(/^\d+/.exec(head)?.[0] ?? 0)).toBe(inside.length);
      expect(inside.length === 0 || shown.length > 0).toBe(true);
      expect(lines.some((line) => line.startsWith(`${inside.length - shown.length} more`))).toBe(
        shown.length < inside.length,
      );
    }),
    asked,
  );
});

it("reads every item once, page after page, whatever the pages", () => {
  fc.assert(
    fc.property(states, fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }), (state, limit) => {
      for (const [index, { cards }] of state.lists.entries()) {
        const seen: unknown[] = [];
        let offset: string | undefined = "0";
        while (offset !== undefined && cards.length > 0) {
          const page = read.run({ state }, { path: `/lists/${index}/cards`, offset: Number(offset), limit });
          for (const line of page.split("\n").filter((one) => /^\d+: /.test(one)))
            seen.push(JSON.parse(line.replace(/^\d+: /, "")));
          offset = /more follow: offset (\d+)\.$/.exec(page)?.[1];
        }
        expect(seen).toEqual(cards);
      }
    }),
    asked,
  );
});

it("answers anything within its budget, without a tag, and always the same", () => {
  const anything = fc.jsonValue({ stringUnit: "binary", maxDepth: 5 });
  const path = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(fc.nat(3).map(String), fc.string())).map((parts) => parts.map((part) => `/${part}`).join("")),
  );
  fc.assert(
    fc.property(anything, path, fc.string(), fc.jsonValue(), (state, place, wanted, args) => {
      for (const answer of [
        () => read.run({ state }, { path: place }),
        () => find.run({ state }, { text: wanted, where: place }),
        () => find.run({ version: 1, state }, { text: wanted }),
        () => read.run({ state }, args),
        () => find.run({ state }, args),
      ]) {
        expect(answer()).toBe(answer());
        expect(answer().length).toBeLessThanOrEqual(2000);
        expect(answer()).not.toContain("<");
      }
    }),
    asked,
  );
});
