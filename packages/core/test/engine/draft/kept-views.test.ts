// What callbacks see of an object that contains an open list is kept with the object, from one
// operation to the next: it always says what the state says, and cannot be written to.

import { defineState } from "@opstate/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { fixedSeed, runs } from "../../../../../tools/runs.ts";

const RUNS = runs(200);
const seed = fixedSeed();

const Column = z.object({
  id: z.string(),
  count: z.number(),
  cards: z.array(z.object({ id: z.string(), marks: z.array(z.object({ by: z.string() })) })),
  info: z.object({ owners: z.array(z.object({ name: z.string() })) }),
});
type Column = z.infer<typeof Column>;

const Edit = z.object({
  kind: z.enum(["rename", "move", "mark", "own", "drop", "copy", "none"]),
  column: z.int(),
  to: z.int(),
  text: z.string(),
});
type Edit = z.infer<typeof Edit>;

/** What a callback saw of every column and every card. */
function read(columns: Column[]): string {
  const seen: string[] = [];
  columns.some((column) => {
    seen.push(JSON.stringify(column), String(column.info.owners.some((owner) => owner.name === "x")));
    column.cards.some((card) => seen.push(JSON.stringify(card)) < 0);
    return false;
  });
  return seen.join();
}

function write(columns: Column[], { kind, column, to, text }: Edit): void {
  const from = columns.find(({ id }) => id === String(column));
  const other = columns.find(({ id }) => id === String(to));
  if (from === undefined || other === undefined) return;
  if (kind === "rename") from.cards.push({ id: text, marks: [] });
  if (kind === "move") other.cards.push(...from.cards.splice(0, 1));
  if (kind === "mark") from.cards.find(() => true)?.marks.push({ by: text });
  if (kind === "own") from.info.owners.push({ name: text });
  if (kind === "drop") from.cards.pop();
  if (kind === "copy") {
    const [, ...others] = columns.filter((one) => one.id !== "");
    other.info = { owners: (others.at(-1) ?? from).info.owners.map((owner) => ({ ...owner })) };
  }
}

function start(): { columns: Column[] } {
  const column = (id: string): Column => ({
    id,
    count: 1,
    cards: [{ id: `card ${id}`, marks: [{ by: "a" }] }],
    info: { owners: [] },
  });
  return { columns: ["0", "1", "2"].map(column) };
}

function define(seen: string[]) {
  return defineState({
    name: "board",
    schema: z.object({ columns: z.array(Column) }),
    initial: null,
    derive: { "/columns/*/count": (column) => column.cards.filter((card) => card.marks.length >= 0).length },
    onFailure: () => {},
    operations: {
      edit: {
        input: Edit,
        apply(draft, edit) {
          seen.push(read(draft.columns));
          write(draft.columns, edit);
          seen.push(read(draft.columns));
        },
      },
      scribble: {
        input: z.object({ how: z.enum(["set", "push", "nested", "delete"]) }),
        apply(draft, { how }) {
          draft.columns.find((column) => {
            if (how === "set") column.id = "written";
            if (how === "push") column.cards.push({ id: "written", marks: [] });
            if (how === "nested") column.info.owners = [];
            if (how === "delete") delete (column as Partial<Column>).id;
            return true;
          });
        },
      },
    },
  });
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...Edit.shape.kind.options),
  column: fc.nat({ max: 2 }),
  to: fc.nat({ max: 2 }),
  text: fc.constantFrom("x", "y"),
});

describe("in production", () => {
  beforeEach(() => vi.stubEnv("NODE_ENV", "production"));
  afterEach(() => vi.unstubAllEnvs());

  test(
    "callbacks see every column as it is, one operation after the other and in batches",
    { timeout: 60_000 + RUNS * 20 },
    () => {
      fc.assert(
        fc.property(fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { maxLength: 6 }), (groups) => {
          const seen: string[] = [];
          const wanted: string[] = [];
          const board = define(seen);
          const plain = start();
          let state = board.reduce(undefined, start());
          for (const edits of groups) {
            for (const one of edits) {
              wanted.push(read(plain.columns));
              write(plain.columns, one);
              wanted.push(read(plain.columns));
              for (const column of plain.columns) column.count = column.cards.length;
            }
            const operations = edits.map((one) => board.op.edit(one));
            const [only] = operations;
            const update = operations.length === 1 && only !== undefined ? only : { type: "$batch", operations };
            const result = board.transition(state, update);
            expect(result.accepted).toBe(true);
            ({ state } = result);
            expect(state).toEqual(plain);
          }
          expect(seen).toEqual(wanted);
        }),
        { numRuns: RUNS, ...(seed === undefined ? {} : { seed }) },
      );
    },
  );

  test.each(["set", "push", "nested", "delete"] as const)("a write to what was kept is refused: %s", (how) => {
    const board = define([]);
    const state = board.reduce(undefined, start());
    const read = board.op.edit({ kind: "none", column: 0, to: 0, text: "" });
    expect(board.reduce(state, read)).toBe(state);
    for (let again = 0; again < 2; again++) {
      const result = board.transition(state, board.op.scribble({ how }));
      expect(result.state).toBe(state);
      expect(result).toMatchObject({ accepted: false, rejection: { code: "failed" } });
      expect(result.accepted || result.rejection.message).toMatch(/a callback of find\(\) wrote to something frozen/);
    }
    expect(state).toEqual(start());
  });

  const lists = [
    ["short", 3],
    ["long", 100],
  ] as const;

  test.each(lists)("a %s list that a callback saw can be in a refusal's details", (_, length) => {
    const cards = Array.from({ length }, (_, n) => ({ id: n, marks: ["a"] }));
    const definition = defineState({
      name: "lists",
      schema: z.object({
        all: z.array(z.object({ cards: z.array(z.object({ id: z.int(), marks: z.array(z.string()) })) })),
      }),
      initial: { all: [{ cards }] },
      operations: {
        ask: {
          input: z.object({}),
          apply(draft, _, { reject }) {
            let seen: unknown;
            draft.all.some((one) => {
              const { cards: list } = one;
              seen = {
                list: list.slice(0, 2),
                isArray: Array.isArray(list),
                ids: list.map(({ id }) => id).slice(1, 3),
                last: list.at(-1)?.id,
                at: list.indexOf(list[1] as (typeof list)[number]),
                found: list.find(({ id }) => id === 2)?.id,
                keys: Object.keys(list).length,
                text: JSON.stringify([...list]) === JSON.stringify(list),
                ...(length < 10 ? { list } : {}),
              };
              return true;
            });
            reject("asked", "", seen);
          },
        },
      },
    });
    const result = definition.transition(undefined, definition.op.ask({}));
    expect(result.accepted ? undefined : result.rejection.details).toEqual({
      list: cards.slice(0, length < 10 ? 3 : 2),
      isArray: true,
      ids: [1, 2],
      last: length - 1,
      at: 1,
      found: 2,
      keys: length,
      text: true,
    });
  });

  test("a batch that edits an object of many keys shows each part what the part before it wrote", () => {
    const seen: unknown[] = [];
    const large = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`k${n}`, n]));
    const definition = defineState({
      name: "large",
      schema: z.object({
        all: z.array(z.object({ list: z.array(z.object({})), values: z.record(z.string(), z.int()) })),
      }),
      initial: { all: [{ list: [{}], values: large }] },
      operations: {
        write: {
          input: z.object({ key: z.string(), value: z.int() }),
          apply(draft, { key, value }) {
            draft.all.some((one) => seen.push(one.values["k1"]) < 0);
            draft.all.some((one) => seen.push(one.values[key]) < 0);
            const [first] = draft.all;
            if (first !== undefined) first.values[key] = value;
          },
        },
      },
    });
    const operations = [10, 20, 30].map((value) => definition.op.write({ key: "k1", value }));
    const result = definition.transition(undefined, { type: "$batch", operations });
    expect(result.accepted).toBe(true);
    expect(seen).toEqual([1, 1, 10, 10, 20, 20]);
    definition.transition(result.state, definition.op.write({ key: "k2", value: 0 }));
    expect(seen.slice(6)).toEqual([30, 2]);
  });
});
