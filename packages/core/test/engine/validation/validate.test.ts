// What a caller relies on beyond the verdict: what is looked at, how much, and what comes out.

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeIssues } from "../../../src/engine/validation/issues.ts";
import { recordingDrafts } from "../../../src/engine/draft/draft.ts";
import { compileValidator } from "../../../src/engine/validation/validate.ts";

/** A board whose checks count how often they run. */
function counted(size: number) {
  const runs = { card: 0, cards: 0, column: 0, root: 0 };
  const count = (name: keyof typeof runs) => () => ++runs[name] > 0;
  const card = z.object({ id: z.string(), title: z.string().min(1) }).refine(count("card"));
  const column = z.object({ id: z.string(), cards: z.array(card).refine(count("cards")) }).refine(count("column"));
  const validator = compileValidator(z.object({ columns: z.array(column) }).refine(count("root")));
  const value = {
    columns: Array.from({ length: 10 }, (_, c) => ({
      id: `c${c}`,
      cards: Array.from({ length: size }, (_, n) => ({ id: `${c}-${n}`, title: "t" })),
    })),
  };
  const parsed = validator.full(value);
  expect(parsed).toEqual({ ok: true, value });
  const prev = value;
  Object.assign(runs, { card: 0, cards: 0, column: 0, root: 0 });
  return { runs, validator, prev };
}

type Board = ReturnType<typeof counted>["prev"];

describe.each(["found by identity", "as the draft recorded it"])("an edit, %s", (how) => {
  function run(edit: (board: Board) => void) {
    const { runs, validator, prev } = counted(100);
    const drafting = recordingDrafts.begin(prev, { freeze: false });
    edit(drafting.draft as Board);
    const { state, touched } = drafting.finish();
    const parsed = validator.touched(prev, state, how === "found by identity" ? undefined : touched);
    return { parsed, runs, state };
  }
  const cards = (board: Board, column: number) => board.columns[column]!.cards;

  it("of one card runs the checks on the way to it, once each", () => {
    expect(run((board) => (cards(board, 3)[50]!.title = "new")).runs).toEqual({
      card: 1,
      cards: 1,
      column: 1,
      root: 1,
    });
  });

  it("that inserts a card parses that card alone, whatever it shifts", () => {
    expect(run((board) => cards(board, 3).unshift({ id: "new", title: "t" })).runs).toEqual({
      card: 1,
      cards: 1,
      column: 1,
      root: 1,
    });
  });

  it("that inserts columns and edits a shifted one parses no other", () => {
    const { runs } = run((board) => {
      board.columns.unshift({ id: "new", cards: [] });
      cards(board, 5)[1]!.title = "x";
    });
    expect(runs).toEqual({ card: 1, cards: 2, column: 2, root: 1 });
  });

  it("that removes a card parses none", () => {
    expect(run((board) => cards(board, 3).splice(7, 1)).runs).toEqual({ card: 0, cards: 1, column: 1, root: 1 });
  });

  it("that sorts a column parses no card", () => {
    expect(run((board) => cards(board, 3).sort((a, b) => (a.id < b.id ? 1 : -1))).runs).toEqual({
      card: 0,
      cards: 1,
      column: 1,
      root: 1,
    });
  });

  it("that moves a card to another column parses that card at most", () => {
    const { runs } = run((board) => cards(board, 8).splice(50, 0, ...cards(board, 1).splice(20, 1)));
    expect(runs).toEqual({ card: 1, cards: 2, column: 2, root: 1 });
  });

  it("is refused with paths of the final state, though a later edit shifted what is wrong", () => {
    const { parsed } = run((board) => {
      cards(board, 2)[10]!.title = "";
      cards(board, 2).splice(0, 1);
      board.columns.unshift({ id: "new", cards: [] });
    });
    expect(!parsed.ok && describeIssues(parsed.issues).message).toBe(
      "/columns/3/cards/9/title must have at least 1 character, got 0",
    );
  });

  it("that writes an unknown key is refused, and the known ones are named", () => {
    const { parsed } = run((board) => Object.assign(cards(board, 2)[1]!, { tilte: "x" }));
    expect(!parsed.ok && describeIssues(parsed.issues)).toMatchObject({
      path: "/columns/2/cards/1",
      message: '/columns/2/cards/1 has the unknown key "tilte"; known: "id", "title"',
    });
  });

  it("comes out as it is", () => {
    const { parsed, state } = run((board) => cards(board, 2).reverse());
    expect(parsed.ok && parsed.value).toBe(state);
  });
});

describe("a bad value is not read to its end", () => {
  const item = (runs: { count: number }) =>
    z.object({ id: z.string(), n: z.number() }).refine(() => ++runs.count < 0, "never");

  it.each([
    ["an array", (schema: z.ZodType) => z.object({ items: z.array(schema) })],
    ["a record", (schema: z.ZodType) => z.object({ items: z.record(z.string(), schema) })],
    ["a tuple's rest", (schema: z.ZodType) => z.object({ items: z.tuple([z.unknown()], schema) })],
    ["a union", (schema: z.ZodType) => z.object({ items: z.union([z.array(schema), z.array(schema)]) })],
    [
      "an intersection",
      (schema: z.ZodType) => z.object({ items: z.array(schema) }).and(z.object({ items: z.array(schema) })),
    ],
    ["a pipe", (schema: z.ZodType) => z.object({ items: z.array(schema).pipe(z.unknown() as never) })],
    ["behind a default", (schema: z.ZodType) => z.object({ items: z.array(schema).default([]) })],
  ])("%s of 100,000 items that a refinement refuses", (name, wrap) => {
    const runs = { count: 0 };
    const validator = compileValidator(wrap(item(runs)));
    const list = Array.from({ length: 100_000 }, (_, n) => ({ id: `${n}`, n }));
    const parsed = validator.full({
      items: name === "a record" ? Object.fromEntries(list.map((one) => [one.id, one])) : list,
    });
    expect(parsed.ok).toBe(false);
    expect(runs.count).toBeLessThan(50);
    expect(!parsed.ok && JSON.stringify(describeIssues(parsed.issues)).length).toBeLessThan(2000);
  });

  it("a bounded array is refused by its length", () => {
    const runs = { count: 0 };
    const parsed = compileValidator(z.array(item(runs)).min(1).max(100)).full(
      Array.from({ length: 101 }, () => ({ id: "a", n: 1 })),
    );
    expect(!parsed.ok && describeIssues(parsed.issues).message).toBe("The value must have at most 100 items, got 101");
    expect(runs.count).toBe(0);
  });

  it("100,000 unknown keys are one issue", () => {
    const parsed = compileValidator(z.strictObject({})).full(
      Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n])),
    );
    expect(!parsed.ok && describeIssues(parsed.issues).message).toMatch(
      /^The value has the unknown keys "k0", .*"k11" and 99988 more$/,
    );
  });
});

describe("what comes out", () => {
  const schema = z.object({
    a: z.string(),
    list: z.array(z.object({ n: z.int(), tag: z.string().default("none") })),
    level: z.number().catch(0).optional(),
  });
  const validator = compileValidator(schema);

  it("is the value itself when it is as the schema makes it, in whatever order its keys are", () => {
    const value = { list: [{ tag: "x", n: 1 }], a: "b" };
    expect(validator.full(value)).toEqual({ ok: true, value });
    const parsed = validator.full(value);
    expect(parsed.ok && parsed.value).toBe(value);
  });

  it("has unknown keys stripped and defaults filled in, and shares the rest", () => {
    const good = { n: 1, tag: "x" };
    const value = { a: "b", zz: 1, list: [good, { n: 2, zz: 1 }] };
    const parsed = validator.full(value);
    expect(parsed).toEqual({ ok: true, value: { a: "b", list: [good, { n: 2, tag: "none" }] } });
    expect(parsed.ok && (parsed.value as typeof value).list[0]).toBe(good);
    expect(value).toEqual({ a: "b", zz: 1, list: [good, { n: 2, zz: 1 }] });
  });

  it("of an edit has defaults and caught values filled in", () => {
    const prev = { a: "b", list: [{ n: 1, tag: "x" }], level: 1 };
    expect(validator.touched(prev, { ...prev, list: [...prev.list, { n: 2 }] })).toEqual({
      ok: true,
      value: { ...prev, list: [...prev.list, { n: 2, tag: "none" }] },
    });
    expect(validator.touched(prev, { ...prev, level: "high" })).toEqual({ ok: true, value: { ...prev, level: 0 } });
  });

  it("of a union tries an option that catches with any value, whatever is around the catch", () => {
    const caught = z.literal("a").catch("a");
    for (const option of [caught, caught.pipe(z.literal("a")), z.union([caught, z.literal("b")]), caught.nullable()]) {
      const validator = compileValidator(z.object({ at: z.union([z.object({ n: z.number() }), option]) }));
      expect(validator.full({ at: [1] })).toEqual({ ok: true, value: { at: "a" } });
      expect(validator.full({ at: { n: "no" } })).toEqual({ ok: true, value: { at: "a" } });
    }
  });

  it("of an edit below a catch is looked at as a whole: what was caught need not be valid", () => {
    const caught = compileValidator(
      z.object({ list: z.array(z.object({ n: z.number() })).catch([{ n: "none" } as never]) }),
    );
    const prev = caught.full({ list: "x" });
    expect(prev).toEqual({ ok: true, value: { list: [{ n: "none" }] } });
    const { list } = (prev.ok ? prev.value : undefined) as { list: unknown[] };
    expect(caught.touched({ list }, { list: [...list, { n: 1 }] })).toEqual({
      ok: true,
      value: { list: [{ n: "none" }] },
    });
  });

  it("never contains the author's own default", () => {
    const shared = { list: [1] };
    const parsed = compileValidator(z.object({ a: z.object({ list: z.array(z.number()) }).default(shared) })).full({});
    expect(parsed).toEqual({ ok: true, value: { a: shared } });
    expect(parsed.ok && (parsed.value as { a: typeof shared }).a.list).not.toBe(shared.list);
  });

  it("has the keys that a record must have filled in, as zod does", () => {
    const listed = z.enum(["a", "b"]);
    const shared = { list: [1] };
    const cases: [z.ZodType, unknown][] = [
      [z.number().default(3), 1],
      [z.union([z.number().default(3), z.string()]), "x"],
      [z.union([z.string(), z.number().optional()]), 1],
      [z.object({ list: z.array(z.number()) }).default(shared), { list: [] }],
    ];
    for (const [values, a] of cases) {
      const schema = z.record(listed, values);
      const parsed = compileValidator(schema).full({ a });
      expect(parsed).toEqual({ ok: true, value: schema.parse({ a }) });
      expect(parsed.ok && (parsed.value as Record<string, unknown>)["b"]).not.toBe(shared);
    }
    const missing = compileValidator(z.record(listed, z.number())).full({ a: 1 });
    expect(!missing.ok && describeIssues(missing.issues).message).toBe("/b is missing: it must be a number");
  });

  it("treats an undefined key as an absent one, and an inherited one too", () => {
    const odd = compileValidator(z.object({ constructor: z.string().optional(), b: z.exactOptional(z.number()) }));
    const parsed = odd.full({ b: undefined });
    expect(parsed).toEqual({ ok: true, value: {} });
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual([]);
    expect(odd.full({ constructor: 1 }).ok).toBe(false);
  });

  it("of an operation's input may be transformed", () => {
    const input = compileValidator(
      z.object({
        id: z.string().trim(),
        tags: z.array(z.string().toLowerCase()).overwrite((tags) => tags.sort()),
        n: z.coerce.number(),
        s: z.string().transform((s) => s.length),
      }),
    );
    const value = { id: " a ", tags: ["B", "A"], n: "4", s: "abc" };
    expect(input.full(value)).toEqual({ ok: true, value: { id: "a", tags: ["a", "b"], n: 4, s: 3 } });
    expect(value.tags).toEqual(["B", "A"]);
  });

  it("is of this state even where a union would prefer another form for what is left", () => {
    const union = compileValidator(
      z.object({ a: z.union([z.object({ x: z.number() }), z.object({ x: z.number(), y: z.number() })]) }),
    );
    expect(union.full({ a: { x: 1, y: 2 } })).toEqual({ ok: true, value: { a: { x: 1 } } });
    const parsed = union.touched({ a: { x: 1 } }, { a: { x: 1, y: 2 } });
    expect(!parsed.ok && describeIssues(parsed.issues).message).toContain('/a has the unknown key "y"');
  });
});

describe("sides of an intersection that make different things of a value", () => {
  it("refuse it, where zod throws", () => {
    const one = z.looseObject({}).and(z.object({ a: z.number().catch(0) }));
    for (const schema of [one, z.xor([one, z.string()]), z.tuple([one, z.string().optional()])]) {
      const value = schema instanceof z.ZodTuple ? [{ a: "x" }] : { a: "x" };
      expect(() => schema.safeParse(value)).toThrow("Unmergable");
      const parsed = compileValidator(schema).full(value);
      expect(!parsed.ok && describeIssues(parsed.issues).message).toContain("give different values");
    }
  });
});

describe("a check that answers with a promise", () => {
  const full = (schema: z.ZodType) => compileValidator(schema).full({ a: "b" });

  it("is a mistake that is thrown", () => {
    expect(() => full(z.object({ a: z.string().check(async () => {}) }))).toThrow(/async/i);
  });

  it("leaves no rejection behind where it is ours to run", () => {
    expect(() => full(z.object({ a: z.string() }).check(() => Promise.reject(new Error("late"))))).toThrow(/async/i);
  });
});
