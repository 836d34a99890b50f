// The page's build beside the full one: whatever is sent, the verdicts have equal codes, and where
// both accept, the states are equal. What it leaves to the authority is said here, code by code.

import { defineState, type StateOf } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runs } from "../../../../tools/runs.ts";
import { fullDefinition } from "../../src/definition/full.ts";
import { board, sample } from "../engine/board.ts";
import { compare, nothingCompared } from "./both-builds.ts";

const RUNS = runs(300, 10_000);
const context = { id: "s", at: "2026-01-01T00:00:00.000Z" };

const cardId = fc.constantFrom("T-1", "T-2", "T-3", "T-4", "T-5", "T-6", "");
const small = fc.integer({ min: -1, max: 3 });
const operation = fc.oneof(
  fc.record({ type: fc.constant("add"), column: small, cardId, title: fc.string({ maxLength: 5 }) }),
  fc.record({ type: fc.constant("move"), cardId, to: small, position: small }),
  fc.record({ type: fc.constant("clear"), column: small }),
  fc.record({ type: fc.constant("lie"), column: small }),
  fc.record({ type: fc.constant("rate"), cardId, priority: fc.double({ min: -1, max: 9 }) }),
  fc.record({ type: fc.constantFrom("regret", "crash", "audit", "wipe") }),
);
const card = fc.record(
  { cardId, title: fc.string({ maxLength: 3 }), priority: fc.integer({ min: 0, max: 6 }) },
  { requiredKeys: ["cardId", "title"] },
);
const column = fc.record(
  {
    columnId: fc.string({ maxLength: 2 }),
    title: fc.string({ maxLength: 2 }),
    cards: fc.array(card, { maxLength: 4 }),
    cardCount: fc.nat(),
    extra: fc.boolean(),
  },
  { requiredKeys: ["columnId", "title", "cards"] },
);
const replacement = fc.record({ columns: fc.array(column, { maxLength: 3 }) });
const garbage = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true }),
  fc.constantFrom<unknown>(
    ...[null, undefined, Number.NaN, "", { type: "move" }, { type: "$batch" }, { type: "$replace" }],
    ...[{ type: "$patch", patch: [] }, { type: "toString" }, { type: "__proto__" }, { type: "$batch", operations: [] }],
  ),
);
const batch = fc.record({
  type: fc.constant("$batch"),
  operations: fc.array(fc.oneof(operation, operation, replacement, garbage), { maxLength: 4 }),
});
const update = fc.oneof(
  { arbitrary: operation, weight: 6 },
  { arbitrary: replacement, weight: 2 },
  { arbitrary: batch, weight: 2 },
  { arbitrary: garbage, weight: 1 },
);
const actor = fc.constantFrom(undefined, { kind: "user", id: "ada" }, { kind: "agent", id: "bot" });

describe("a definition of the page's build", () => {
  it("is another than that of an authority, which is made from it", () => {
    expect(fullDefinition(board)).not.toBe(board);
    expect(fullDefinition(board)).toBe(fullDefinition(board));
    expect(fullDefinition(fullDefinition(board))).toBe(fullDefinition(board));
  });

  it("says in the same words what a first render may show, which a server rendered", () => {
    const title = z.string().min(1, "A card needs a title");
    const page = defineState({
      name: "list",
      schema: z.object({ titles: z.array(title) }).refine(({ titles }) => titles.length < 2, "The list is full"),
      initial: null,
      operations: {
        add: {
          input: z.object({ title, at: z.int("A place is a number"), note: z.string().max(2, "Too long") }).partial(),
          allow: ["user"],
          apply(draft, { title = "" }) {
            draft.titles.push(title);
          },
        },
      },
    });
    const messages = (state: StateOf<typeof page>, update: unknown, kind?: string) =>
      [page, fullDefinition(page)].map((each) => {
        const result = each.transition(state, update, { ...context, ...(kind && { actor: { kind, id: "x" } }) });
        return result.accepted ? "accepted" : result.rejection.message;
      });
    const add = { type: "add", title: "Milk" };
    const state = { titles: ["Bread"] };
    for (const [texts, said] of [
      [messages(state, { ...add, title: "" }), "/title: A card needs a title"],
      [messages(state, { ...add, title: "", at: "1" }), "/title: A card needs a title; /at: A place is a number"],
      [
        messages(state, { title: "", at: 1.5, note: "long", type: "add" }),
        "/title: A card needs a title; /at: A place is a number (and more)",
      ],
      [messages(state, add), "The list is full"],
      [messages(state, add, "agent"), 'Actors of kind "agent" are not allowed to use "add". Allowed: user.'],
    ])
      expect(texts).toEqual([said, said]);
  });

  it("gives equal verdicts and equal states", () => {
    const compared = nothingCompared();
    fc.assert(
      fc.property(fc.array(fc.tuple(update, actor), { minLength: 10, maxLength: 40, size: "max" }), (sequence) => {
        let state: unknown = sample();
        for (const [each, by] of sequence)
          state = compare(board, state, each, by === undefined ? context : { ...context, actor: by }, compared);
      }),
      { numRuns: RUNS },
    );
    expect(compared.changed).toBeGreaterThan(500);
    for (const code of ["invalid_operation", "unknown_operation", "invalid_state", "refused", "forbidden", "failed"])
      expect(compared.refused.get(code), code).toBeGreaterThan(5);
    expect(compared.refused.get("needs_approval")).toBeGreaterThan(5);
  });

  it("makes the ids that the authority makes", () => {
    const list = defineState({
      name: "list",
      schema: z.object({ items: z.array(z.object({ id: z.string(), at: z.string() })) }),
      initial: { items: [] },
      operations: {
        add: {
          input: z.object({ times: z.int(), key: z.string().optional() }),
          apply(draft, { times, key }, { id, now }) {
            for (let time = 0; time < times; time++) draft.items.push({ id: id("T-", key), at: now });
          },
        },
      },
    });
    const compared = nothingCompared();
    const source = fc.record(
      {
        id: fc.string({ unit: "binary", maxLength: 200 }),
        at: fc.constant(context.at),
        actor: fc.record({ kind: fc.constantFrom("user", "agent"), id: fc.string() }),
        branch: fc.string(),
      },
      { requiredKeys: ["id", "at"] },
    );
    const add = fc.record(
      { type: fc.constant("add"), times: fc.nat(3), key: fc.string({ unit: "binary" }) },
      { requiredKeys: ["type", "times"] },
    );
    const adds = fc.oneof(
      add,
      fc.record({ type: fc.constant("$batch"), operations: fc.array(add, { minLength: 1, maxLength: 3 }) }),
    );
    fc.assert(
      fc.property(adds, source, (operation, from) => void compare(list, list.initial, operation, from, compared)),
      { numRuns: RUNS },
    );
    expect(compared.changed).toBeGreaterThan(50);
    compare(list, list.initial, { type: "add", times: 1 }, { id: "s" }, compared);
    expect(compared.refused.get("refused")).toBe(1);
  });

  it("fills in defaults, computes rules that read one another, and repairs a state from elsewhere", () => {
    const sums = defineState({
      name: "sums",
      schema: z.object({
        rows: z.array(
          z.object({ n: z.number(), unit: z.string().default("kg"), twice: z.number(), label: z.string() }),
        ),
        total: z.number(),
        text: z.string(),
      }),
      initial: { rows: [], total: 0, text: "0" },
      derive: {
        "/text": (state) => String(state.total),
        "/rows/*/label": (row) => `${row.twice} ${row.unit}`,
        "/total": (state) => state.rows.reduce((sum, { twice }) => sum + twice, 0),
        "/rows/*/twice": (row) => row.n * 2,
      },
      replace: { allow: ["user"] },
      patches: true,
      onFailure: () => undefined,
      operations: {
        put: {
          input: z.object({ at: z.int().min(0), n: z.number(), unit: z.string().optional() }),
          apply(draft, { at, n, unit }) {
            const row = draft.rows[at];
            if (row) Object.assign(row, { n }, unit === undefined ? {} : { unit });
            // The rest is the schema's and the rules' to fill in.
            else draft.rows.push({ n } as never);
          },
        },
        forget: {
          input: z.object({ at: z.int() }),
          apply: (draft, { at }) => void Reflect.deleteProperty(draft.rows[at] ?? {}, "unit"),
        },
        strange: { input: z.object({}), apply: (draft) => void Object.assign(draft, { strange: 1 }) },
        number: { input: z.object({}), apply: (draft) => void (draft.total = Number.NaN) },
        date: { input: z.object({}), apply: (draft) => void (draft.rows = new Date() as never) },
      },
    });
    const at = fc.nat(3);
    const n = fc.integer({ min: -3, max: 3 });
    const row = fc.record({ n, unit: fc.constantFrom("g", "t"), extra: n }, { requiredKeys: ["n"] });
    const pointer = fc.constantFrom("/rows/0/n", "/rows/0", "/rows/-", "/total", "/rows/1/unit", "/none/x", "/extra");
    const any: fc.Arbitrary<{ readonly type?: string; readonly rows?: unknown }> = fc.oneof(
      fc.record({ type: fc.constant("put"), at, n, unit: fc.constantFrom(undefined, "g", "t") }),
      fc.record({ type: fc.constant("forget"), at }),
      fc.record({ type: fc.constantFrom("strange", "number", "date") }),
      fc.record({ rows: fc.array(row, { maxLength: 3 }) }),
      fc.record({ rows: fc.array(row, { maxLength: 3 }), total: n, text: fc.string() }),
      fc.record({
        type: fc.constant("$patch"),
        patch: fc.array(
          fc.oneof(
            fc.record({ op: fc.constantFrom("add", "replace", "test"), path: pointer, value: fc.oneof(n, row) }),
            fc.record({ op: fc.constant("remove"), path: pointer }),
            fc.record({ op: fc.constantFrom("move", "copy"), path: pointer, from: pointer }),
          ),
          { maxLength: 3 },
        ),
      }),
    );
    const compared = nothingCompared();
    fc.assert(
      fc.property(fc.array(any, { minLength: 4, maxLength: 20, size: "max" }), (sequence) => {
        let state: unknown = sums.initial;
        for (const each of sequence) {
          // A patch is read strictly by the authority alone: "move" into itself. A key that the
          // schema does not know is stripped, and the authority says that it is unknown.
          const left = "patch" in each ? ["conflict"] : each.type === "strange" ? ["invalid_state"] : [];
          state = compare(sums, state, each, context, compared, left);
          // From elsewhere: another object, without what a rule computes.
          const { rows } = state as { readonly rows: readonly { readonly n: number; readonly unit: string }[] };
          const foreign = { rows: rows.map(({ n: number, unit }) => ({ n: number, unit })), total: 7 };
          compare(sums, foreign, each, context, compared, left);
        }
      }),
      { numRuns: RUNS },
    );
    expect(compared.changed).toBeGreaterThan(300);
    for (const code of ["failed", "invalid_state", "conflict"])
      expect(compared.refused.get(code), code).toBeGreaterThan(5);
  });
});
