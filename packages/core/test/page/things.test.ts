// The things that a page sends with its operations are those that the authority's code would name:
// on random edits of a confirmed state, and of what is pending over it.

import { defineState } from "@opstate/core";
import * as full from "@opstate/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runs } from "../../../../tools/runs.ts";
import { fullDefinition } from "../../src/definition/full.ts";
import { run } from "../../src/engine/run.ts";
import { nameState } from "../../src/engine/things/index.ts";
import { isHeldToThings, nameStep, submittedThing } from "../../src/thread/things/submitted-things.ts";
import { ada } from "../thread/tally.ts";

const Note = z.object({ text: z.string() });
const Card = z.object({
  title: z.string(),
  tags: z.array(z.string()),
  notes: z.array(Note),
  at: z.tuple([z.number(), z.number()]),
});
const Column = z.object({
  name: z.string(),
  meta: z.object({ color: z.string() }),
  cards: z.array(Card),
  count: z.int(),
});
type Card = z.infer<typeof Card>;

let made = 0;
const card = (): Card => ({ title: `t${++made}`, tags: ["x"], notes: [{ text: `n${made}` }], at: [0, made] });

const boards = defineState({
  name: "boards",
  schema: z.object({
    columns: z.array(Column),
    people: z.record(z.string(), z.object({ age: z.int(), likes: z.array(Note) })),
    title: z.string().optional(),
  }),
  initial: {
    columns: [
      { name: "a", meta: { color: "red" }, cards: [card(), card(), card()], count: 3 },
      { name: "b", meta: { color: "red" }, cards: [card(), card()], count: 2 },
      { name: "c", meta: { color: "red" }, cards: [], count: 0 },
    ],
    people: { ada: { age: 1, likes: [{ text: "x" }] }, bob: { age: 2, likes: [] } },
  },
  derive: { "/columns/*/count": (column) => column.cards.length },
  operations: {
    do: {
      input: z.object({ kind: z.string(), a: z.int(), b: z.int(), c: z.int(), text: z.string() }),
      apply(draft, { kind, a, b, c, text }, { reject }) {
        const column = draft.columns[a % draft.columns.length];
        const other = draft.columns[b % draft.columns.length];
        if (!column || !other) return reject("none");
        const index = c % Math.max(1, column.cards.length);
        const chosen = column.cards[index];
        const { people } = draft;
        switch (kind) {
          case "rename":
            if (chosen) chosen.title = text;
            return;
          case "color":
            column.meta = { color: text };
            return;
          case "place":
            if (chosen) chosen.at = [a, c];
            return;
          case "tag":
            chosen?.tags.push(text);
            return;
          case "note":
            chosen?.notes.push({ text });
            return;
          case "editNote":
            if (chosen?.notes[0]) chosen.notes[0].text = text;
            return;
          case "add":
            column.cards.splice(index, 0, { title: text, tags: [], notes: [{ text }], at: [1, 2] });
            return;
          case "remove":
            column.cards.splice(index, 1);
            return;
          case "filter":
            column.cards = column.cards.filter((_, at) => at !== index);
            return;
          case "move":
            other.cards.push(...column.cards.splice(index, 1));
            return;
          case "moveAndEdit": {
            const [moved] = column.cards.splice(index, 1);
            if (!moved) return;
            moved.title = text;
            other.cards.unshift(moved);
            return;
          }
          case "sort":
            column.cards.sort((left, right) => (left.title < right.title ? 1 : -1));
            return;
          case "columns":
            draft.columns.reverse();
            return;
          case "addColumn":
            draft.columns.push({ name: text, meta: { color: "x" }, cards: [], count: 0 });
            return;
          case "age":
            for (const who of Object.keys(people).slice(0, 1)) people[who]!.age += 1;
            return;
          case "like":
            people[a % 2 ? "ada" : "bob"]?.likes.push({ text });
            return;
          case "join":
            people[text] = { age: c, likes: [{ text }] };
            return;
          case "leave":
            delete people["bob"];
            return;
          case "title":
            draft.title = text;
            return;
        }
      },
    },
  },
});

const kinds = ["rename", "color", "place", "tag", "note", "editNote", "add", "remove", "filter", "move", "moveAndEdit"];
kinds.push("sort", "columns", "addColumn", "age", "like", "join", "leave", "title");
const operation = fc.record({
  type: fc.constant("do"),
  kind: fc.constantFrom(...kinds),
  a: fc.nat(5),
  b: fc.nat(5),
  c: fc.nat(5),
  text: fc.constantFrom("p", "q", "r/s"),
});
const update = fc.oneof(
  { weight: 5, arbitrary: operation },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("$batch"),
      operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
    }),
  },
);

type Do = { readonly type: string; readonly text: string };

/**
 * With texts that no other operation has: what is equal to something removed would be that
 * thing.
 */
function apart(updates: readonly (Do | { readonly operations: readonly Do[] })[]): readonly unknown[] {
  return updates.map((each, index) =>
    "operations" in each
      ? { ...each, operations: each.operations.map((part, at) => ({ ...part, text: `${part.text}${index}.${at}` })) }
      : { ...each, text: `${each.text}${index}` },
  );
}

/** What each engine says of the operations: some confirmed, the rest pending over them. */
function told(
  engine: Pick<typeof full, "run" | "nameStep" | "nameState" | "submittedThing" | "isHeldToThings">,
  model: typeof boards.model,
  updates: readonly unknown[],
  confirmed: number,
  isLate: boolean,
) {
  let place = engine.nameState(boards.initial);
  let base = place;
  return updates.flatMap((each, index) => {
    const source = { actor: ada, id: `s${index}`, at: "2026-01-01T00:00:00.000Z" };
    const step = engine.run(model, place.state, each, { actor: ada, source });
    if (!step.accepted) return [];
    const { touched, after } = engine.nameStep(model, place, step, source);
    const things = touched.map((name) => engine.submittedThing(model, base, name, isLate));
    place = after;
    if (index < confirmed) base = after;
    const texts = things.map((thing) => JSON.stringify(thing)).toSorted();
    return [
      { isHeld: engine.isHeldToThings(model, step.operation), texts, state: step.state, type: step.operation.type },
    ];
  });
}

describe("the things of an operation", () => {
  it("are those that the full engine names", () => {
    const authority = { run, nameStep, nameState, submittedThing, isHeldToThings };
    const { model } = fullDefinition(boards);
    let [untold, all] = [0, 0];
    fc.assert(
      fc.property(
        fc.array(update, { minLength: 1, maxLength: 12, size: "max" }),
        fc.nat(6),
        fc.boolean(),
        (generated, confirmed, isLate) => {
          const updates = apart(generated);
          const wanted = told(authority, model, updates, confirmed, isLate);
          const given = told(full, boards.model, updates, confirmed, isLate);
          expect(given.map(({ isHeld, state }) => [isHeld, state])).toEqual(
            wanted.map(({ isHeld, state }) => [isHeld, state]),
          );
          all += wanted.length;
          for (const [index, { texts, type }] of wanted.entries())
            // What one of several creations of a submission is, only the authority knows: nothing
            // is sent.
            if (given[index]!.texts.includes(undefined as never)) untold += 1;
            // Of a batch, all that it may have touched on its way.
            else if (type === "$batch") expect(given[index]!.texts).toEqual(expect.arrayContaining([...texts]));
            else expect(given[index]!.texts).toEqual(texts);
        },
      ),
      { numRuns: runs(500, 20_000) },
    );
    expect(untold).toBeLessThan(all / 10);
  });
});
