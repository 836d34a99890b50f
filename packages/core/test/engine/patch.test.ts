// A patch is looked at where it touched the state. The oracle is the whole document in its place:
// the same verdict, the same state.

import { defineState, type AnyDefinition } from "@opstate/core";
import { applyPatch, diff, type Patch } from "@opstate/core/json-patch";
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runs } from "../../../../tools/runs.ts";
import { edit, edits } from "./validation/edits.ts";
import { containers, libraries } from "./validation/schemas.ts";
import { board, sample } from "./board.ts";

const RUNS = runs(1_000, 40_000);

/** Law 5: the patches lead to the state, and the inverse leads back. */
function isExact(before: unknown, after: unknown, patches: Patch, inverse: Patch): void {
  expect(applyPatch(before, patches)).toEqual({ ok: true, document: after, inverse: expect.anything() });
  expect(applyPatch(after, inverse)).toEqual({ ok: true, document: before, inverse: expect.anything() });
}

/**
 * They are those of the whole document. Where items of a list are equal, which of them moved may be
 * described otherwise, in no more operations, and never in more characters than the whole has.
 */
function isMinimal(patches: Patch, whole: Patch, before: unknown, after: unknown): void {
  if (!hasEqualItems(before) && !hasEqualItems(after)) expect(patches).toEqual(whole);
  expect(patches.length).toBeLessThanOrEqual(whole.length);
  const replaced: Patch = [{ op: "replace", path: "", value: after }];
  expect(JSON.stringify(patches).length).toBeLessThanOrEqual(JSON.stringify(replaced).length);
}

/** Whether a list in a value has two items that are equal. */
function hasEqualItems(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const parts: unknown[] = Object.values(value);
  const isRepeated = (part: unknown, index: number) =>
    parts.some((other, at) => at > index && isDeepStrictEqual(part, other));
  return (Array.isArray(value) && parts.some(isRepeated)) || parts.some(hasEqualItems);
}

/** Compares one patch with its oracle; the state that it leads to, or the one it was given. */
function agree(
  definition: AnyDefinition,
  state: unknown,
  patch: Patch,
  verdicts: { accepted: number; refused: number },
): unknown {
  const taken = definition.transition(state, { type: "$patch", patch }, { patches: true });
  const applied = applyPatch(state, patch);
  if (!applied.ok) {
    expect(taken).toMatchObject({ accepted: false, rejection: { code: "conflict" } });
    return state;
  }
  const oracle = definition.transition(state, { type: "$replace", value: structuredClone(applied.document) });
  if (oracle.accepted && !isJson(oracle.state)) {
    // A tuple whose absent items a schema fills in with nothing: a patch to it is refused, a
    // replacement not yet.
    expect(taken.accepted).toBe(false);
    return state;
  }
  expect(taken.accepted).toBe(oracle.accepted);
  verdicts[taken.accepted ? "accepted" : "refused"]++;
  if (!taken.accepted) {
    if (!oracle.accepted) expect(taken.rejection).toEqual(oracle.rejection);
    expect(taken.state).toBe(state);
    return state;
  }
  expect(taken.state).toEqual(oracle.state);
  if (!isState(definition, taken.state)) return state;
  isExact(state, taken.state, taken.patches, taken.inverse);
  if (oracle.accepted) isMinimal(taken.patches, oracle.patches, state, taken.state);
  if (taken.patches.length === 0) expect(taken.state).toBe(state);
  // The engine knows what it made: only so is the next patch looked at in the same way.
  return taken.state;
}

describe("a patch of a state", { timeout: 3_600_000 }, () => {
  it("comes to what the whole document comes to, derived fields and invariants included", () => {
    const verdicts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(edits, { minLength: 1, maxLength: 6 }), edits, (steps, likely) => {
        let state: unknown = sample();
        const donor = structuredClone(state);
        edit(donor, donor, likely);
        for (const step of steps) {
          const edited = structuredClone(state);
          edit(edited, donor, step);
          state = agree(board, state, diff(state, edited), verdicts);
        }
      }),
      { numRuns: RUNS / 4 },
    );
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(RUNS / 20);
  });

  it("may carry as much as the state has already", () => {
    const limits = { state: { bytes: 200 } };
    const any = defineState({ name: "any", schema: z.looseObject({}), initial: {}, operations: {}, limits });
    const grow = (state: typeof any.initial, ...patch: Patch) => {
      const taken = any.transition(state, { type: "$patch", patch }, { patches: true });
      expect(taken).toMatchObject({ accepted: true });
      return taken.state;
    };
    let state = grow(any.initial, { op: "add", path: "/a", value: { b: { c: "x".repeat(60) } } });
    for (const key of ["d", "e", "f"]) state = grow(state, { op: "add", path: `/a/b/${key}`, value: "y".repeat(60) });
    // The value that goes along is larger than any update may be.
    expect(grow(state, { op: "move", from: "/a", path: "/z" })).toHaveProperty("z.b.f");
  });

  it("is refused where it puts together what each of its values alone is not", () => {
    const schema = z.looseObject({ item: z.looseObject({}) });
    const loose = defineState({ name: "loose", schema, initial: { item: { type: "a" } }, operations: {} });
    const taken = (...patch: Patch) => loose.transition(loose.initial, { type: "$patch", patch }, { patches: true });
    const both = { op: "add", path: "/item/lc", value: 1 } as const;
    expect(taken(both)).toMatchObject({
      accepted: false,
      state: loose.initial,
      rejection: { code: "invalid_state", path: "/item/lc" },
    });
    expect(
      taken({ op: "add", path: "/new", value: { type: "a" } }, { op: "add", path: "/new/lc", value: 1 }).accepted,
    ).toBe(false);
    expect(taken({ op: "remove", path: "/item/type" }, both).accepted).toBe(true);
    expect(taken({ op: "add", path: "/__overwrite__", value: 1 }).accepted).toBe(false);
    expect(taken({ op: "replace", path: "", value: { item: {}, __overwrite__: 1 } }).accepted).toBe(false);
    expect(loose.transition(loose.initial, { type: "$replace", value: { item: {}, __overwrite__: 1 } }).accepted).toBe(
      false,
    );
    expect(taken({ op: "add", path: "/item/__overwrite__", value: 1 }).accepted).toBe(true);
  });

  it("comes to what the whole document comes to, under any schema", () => {
    const verdicts = { accepted: 0, refused: 0 };
    const cases = fc.tuple(containers, fc.constantFrom(...libraries)).chain(([schema, [, zod]]) =>
      fc
        .tuple(schema.value, schema.value, fc.array(edits, { minLength: 1, maxLength: 3 }))
        .map(([value, donor, steps]) => {
          return { definition: () => defined(schema.build(zod), value), donor, steps };
        }),
    );
    fc.assert(
      fc.property(cases, ({ definition, donor, steps }) => {
        const made = definition();
        fc.pre(made !== undefined);
        let state: unknown = made.initial;
        for (const step of steps) {
          const edited = structuredClone(state);
          edit(edited, donor, step);
          state = agree(made, state, diff(state, edited), verdicts);
        }
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(RUNS / 8);
  });

  it("puts a derived field right that it wrote, and refuses one that is of another type", () => {
    const verdicts = { accepted: 0, refused: 0 };
    const state = board.reduce(null, sample());
    expect(agree(board, state, [{ op: "replace", path: "/columns/0/cardCount", value: 9 }], verdicts)).toBe(state);
    agree(board, state, [{ op: "replace", path: "/columns/0/cardCount", value: "9" }], verdicts);
    agree(board, state, [{ op: "remove", path: "/columns/0/cardCount" }], verdicts);
    expect(verdicts).toEqual({ accepted: 2, refused: 1 });
  });

  it("has its checks run where it touched the state, and nowhere else", () => {
    const runs = { item: 0, derived: 0 };
    const item = z.object({ n: z.number(), double: z.number() }).refine(() => ++runs.item > 0);
    const list = defineState({
      name: "list",
      schema: z.object({ items: z.array(item) }),
      initial: { items: Array.from({ length: 100 }, (_, n) => ({ n, double: n * 2 })) },
      derive: { "/items/*/double": ({ n }) => (++runs.derived, n * 2) },
      operations: {},
    });
    runs.item = runs.derived = 0;
    const patch = [
      { op: "remove", path: "/items/7" },
      { op: "replace", path: "/items/50/n", value: 1 },
    ];
    const next = list.transition(list.initial, { type: "$patch", patch }, { patches: true });
    expect(next.accepted && next.state.items[50]).toEqual({ n: 1, double: 2 });
    expect(runs).toEqual({ item: 1, derived: 1 });
  });

  it("needs the definition's leave, or the caller's", () => {
    const patch = { type: "$patch", patch: [] };
    const state = board.reduce(null, sample());
    expect(board.transition(state, patch)).toMatchObject({ accepted: false, rejection: { code: "unknown_operation" } });
    expect(board.transition(state, patch, { patches: true }).accepted).toBe(true);
    const actor = { kind: "user", id: "u" } as const;
    expect(board.transition(state, patch, { patches: true, actor })).toMatchObject({
      rejection: { code: "forbidden" },
    });
  });

  it("cannot nest a state deeper than its limit", () => {
    const any = defineState({
      name: "any",
      schema: z.record(z.string(), z.json()),
      initial: { a: { b: { c: {} } } },
      operations: {},
      limits: { state: { depth: 5 } },
    });
    const add = (state: typeof any.initial, path: string) =>
      any.transition(state, { type: "$patch", patch: [{ op: "add", path, value: {} }] }, { patches: true });
    const deepest = add(any.initial, "/a/b/c/d");
    expect(deepest.accepted).toBe(true);
    expect(add(deepest.state, "/a/b/c/d/e")).toMatchObject({
      accepted: false,
      rejection: { code: "too_large", path: "/a/b/c/d/e" },
    });
  });
});

/**
 * Whether the schema makes the state of it again: no `catch` made of it what another option of a
 * union accepts, and no item is undefined.
 */
function isState(definition: AnyDefinition, state: unknown): boolean {
  if (!isJson(state)) return false;
  const again = definition.transition(null, { type: "$replace", value: state });
  return again.accepted && isDeepStrictEqual(again.state, state);
}

const isJson = (value: unknown): boolean => isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);

/** Undefined where schema or value are not what a state can be defined by. */
function defined(schema: z.core.$ZodType, value: unknown): AnyDefinition | undefined {
  try {
    const definition = defineState({ name: "any", schema, initial: value as never, operations: {} });
    return isState(definition, definition.initial) ? definition : undefined;
  } catch {
    return undefined;
  }
}
