// Drafting engines against a plain object, on random programs of edits: same sights on the way,
// same result, exact patches.

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { Immer } from "immer";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../../tools/runs.ts";
import {
  recordingDrafts,
  type DraftEngine,
  type Edited,
  type FieldRule,
  type Touched,
} from "../../../src/engine/draft/draft.ts";
import { staysOpen, isOpen, type Freezing } from "../../../src/engine/draft/freeze.ts";
import { deepFreeze } from "../../../src/engine/freeze.ts";
import { immerDrafts } from "../../../src/immer.ts";
import { applied, edit, edits, isBox, plain, program, Run, state, type Program } from "./programs.ts";

/** Programs for each test. */
const RUNS = runs(400, 50_000);
const TIMEOUT = 20_000 + RUNS * 20;

interface Case {
  readonly base: object;
  readonly steps: Program;
  readonly freeze: Freezing;
  readonly rules: readonly FieldRule[];
}

const freezing = fc.constantFrom<Freezing>(true, false, "objects");

const cases: fc.Arbitrary<Case> = fc.record({
  base: state,
  steps: program(3, 24),
  freeze: freezing,
  rules: fc.constant([]),
});

/** Derived fields at three depths; their values are numbers, lists, or nothing. */
const rules: readonly FieldRule[] = [
  rule(["list", "*"], "size", (item) => Object.keys(item).filter((key) => key !== "size" && key !== "names").length),
  rule(["list", "*"], "names", (item) =>
    Object.hasOwn(item, "a")
      ? Object.keys(item)
          .filter((key) => key !== "size" && key !== "names")
          .toSorted()
      : undefined,
  ),
  rule(["*"], "size", (item) => Object.values(item).filter(isBox).length),
  rule(
    [],
    "text",
    (root) => JSON.stringify(Object.entries({ ...root, text: 0 }).toSorted(([a], [b]) => (a < b ? -1 : 1))).length,
  ),
];

function rule(container: string[], field: string, compute: (container: Record<string, unknown>) => unknown): FieldRule {
  return { container, field, compute: (value) => compute(value as Record<string, unknown>) };
}

/** Derived fields, recomputed everywhere: a copy. */
function derived<T>(value: T): T {
  const root = { "": plain(value) };
  const visit = (container: unknown, tokens: readonly string[], { field, compute }: FieldRule): void => {
    if (!isBox(container)) return;
    const [token, ...rest] = tokens;
    if (token !== undefined) {
      for (const key of Object.keys(container))
        if (token === "*" || token === key)
          visit(Reflect.get(container, key), rest, { container: rest, field, compute });
    } else if (!Array.isArray(container)) {
      const made = compute(container);
      if (made === undefined) Reflect.deleteProperty(container, field);
      else Reflect.set(container, field, made);
    }
  };
  for (const each of rules) visit(root[""], each.container, each);
  return plain(root[""]);
}

describe("a random program of edits does what it does to a plain object", () => {
  test("on recording drafts", { timeout: TIMEOUT }, () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { base, oracle, origin, run, edited } = check(recordingDrafts, given);
        // Where all is equal in the end, one of the base's containers may be in another's place.
        if (edited.state !== base) expectShared(oracle, edited.state, origin);
        // What was put in belongs to the caller, whatever was done to it through the draft.
        expectSame(run.given, given.steps.given);
        for (const kept of run.kept) expect(() => Object.keys(kept)).toThrow("has ended");
      }),
      { numRuns: RUNS },
    );
  });

  test("on immer drafts", { timeout: TIMEOUT }, () => {
    fc.assert(
      fc.property(cases, ({ base, steps: { given, steps: all }, freeze, rules }) => {
        // Immer refuses `Object.defineProperty`.
        const steps = { given, steps: all.filter(({ name }) => name !== "define") };
        fc.pre(!leavesDrafts(base, steps));
        check(immerDrafts, { base, steps, freeze, rules });
      }),
      { numRuns: RUNS },
    );
  });
});

test.each([recordingDrafts, immerDrafts])(
  "derived fields are what they are when recomputed everywhere: $name",
  { timeout: TIMEOUT },
  (engine) => {
    fc.assert(
      fc.property(cases, ({ base: any, steps: { given, steps: all }, freeze }) => {
        const base = derived(any);
        const steps = { given, steps: all.filter(({ name }) => name !== "define") };
        fc.pre(engine !== immerDrafts || !leavesDrafts(base, steps));
        check(engine, { base, steps, freeze, rules });
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  },
);

test("patches are no more than the edits", { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(state, edits(1, 12), freezing, (base, steps, freeze) => {
      const oracle = structuredClone(base);
      edit(oracle, steps);
      const drafting = recordingDrafts.begin(base, { freeze });
      const count = edit(drafting.draft as object, steps);
      const { state, patches, inverse } = drafting.finish();
      expectSame(state, oracle);
      expectSame(applied(base, patches), oracle);
      expectSame(applied(state, inverse), base);
      expect(patches.length).toBeLessThanOrEqual(count);
      expect(inverse.length).toBeLessThanOrEqual(count);
    }),
    { numRuns: RUNS },
  );
});

/**
 * Immer 11 itself leaves a draft in its result after some programs that put the same item in
 * several places (about 1 in 3,000).
 */
function leavesDrafts(base: object, steps: Program): boolean {
  const immer = new Immer({ autoFreeze: false });
  const decisions = new Run(structuredClone(base), steps).run();
  const draft = immer.createDraft(base);
  new Run(draft, steps, decisions).run();
  try {
    JSON.stringify(immer.finishDraft(draft));
    return false;
  } catch {
    return true;
  }
}

interface Checked {
  /**
   * The plain object after the program, and which object of the base each of its containers was
   * copied from.
   */
  readonly base: object;
  readonly oracle: object;
  readonly origin: ReadonlyMap<unknown, object>;
  readonly run: Run;
  readonly edited: Edited;
}

function check(engine: DraftEngine, { base: given, steps, freeze, rules }: Case): Checked {
  const pristine = structuredClone(given);
  // Not the object of another run, which was frozen in another way.
  const base = deepFreeze(structuredClone(given), freeze);
  const oracle = structuredClone(base);
  const origin = origins(oracle, base);
  const plainRun = new Run(oracle, steps);
  const decisions = plainRun.run();
  const expected = rules.length === 0 ? plain(oracle) : derived(oracle);

  const drafting = engine.begin(base, { freeze });
  const draft = drafting.draft as object;
  const run = new Run(draft, steps, decisions);
  run.run();
  for (const rule of rules) drafting.derive(rule);
  const edited = drafting.finish();
  const { state, patches, inverse, touched } = edited;

  expectSame(run.seen, plainRun.seen);
  expectSame(state, expected);
  expectSame(base, pristine);
  expect(() => Object.keys(draft)).toThrow();
  if (freeze !== false) expectFrozen(state, freeze);

  expectSame(applied(base, patches), expected);
  expectSame(applied(state, inverse), pristine);
  expect(patches.length === 0).toBe(state === base);
  expect(touched === undefined).toBe(state === base);
  if (isDeepStrictEqual(expected, pristine)) expect(state).toBe(base);
  if (touched !== undefined) expectTouched(touched);
  return { base, oracle, origin, run, edited };
}

/** As `toStrictEqual`, but fast. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected);
}

function holdsLarge(value: unknown): boolean {
  return typeof value === "object" && value !== null && (staysOpen(value) || Object.values(value).some(holdsLarge));
}

function expectFrozen(value: unknown, freeze: Freezing): void {
  if (!isBox(value)) return;
  if (!Object.isFrozen(value) && !(freeze === "objects" && staysOpen(value))) expect(value).toBe("frozen");
  // What has no mark is shown to callbacks as it is. A mark that is no longer needed does no harm.
  if (freeze === "objects" && holdsLarge(value) && !isOpen(value)) expect(value).toBe("marked");
  for (const part of Object.values(value)) expectFrozen(part, freeze);
}

function origins(copy: unknown, base: unknown, map = new Map<unknown, object>()): Map<unknown, object> {
  if (!isBox(copy) || !isBox(base)) return map;
  map.set(copy, base);
  for (const key of Object.keys(copy)) origins(Reflect.get(copy, key), Reflect.get(base, key), map);
  return map;
}

/**
 * The container of the base that a container of the plain object still is, unchanged through and
 * through.
 */
function unchanged(now: unknown, origin: ReadonlyMap<unknown, object>): object | undefined {
  const from = origin.get(now);
  if (!isBox(now) || from === undefined) return undefined;
  const keys = Object.keys(now);
  if (keys.length !== Object.keys(from).length) return undefined;
  for (const key of keys) {
    const child: unknown = Reflect.get(now, key);
    if (!Object.hasOwn(from, key)) return undefined;
    const before: unknown = Reflect.get(from, key);
    if (isBox(child) ? !isBox(before) || unchanged(child, origin) !== before : child !== before) return undefined;
  }
  return from;
}

/** What is unchanged is the base's own object in the state, wherever it is now. */
function expectShared(now: unknown, next: unknown, origin: ReadonlyMap<unknown, object>): void {
  if (!isBox(now) || !isBox(next)) return;
  const from = unchanged(now, origin);
  if (from !== undefined) expect(next === from, `not shared: ${JSON.stringify(from)}`).toBe(true);
  else for (const key of Object.keys(now)) expectShared(Reflect.get(now, key), Reflect.get(next, key), origin);
}

/** Outside of what it names, a touched container is the base's. */
function expectTouched({ base, value, assigned, children, splices }: Touched): void {
  const named = new Set([...assigned, ...children.map((child) => child.key)]);
  if (Array.isArray(base) && Array.isArray(value)) {
    const from: number[] = Array.from(base.keys());
    for (const { at, removed, inserted } of splices)
      from.splice(at, removed, ...Array.from<number>({ length: inserted }).fill(-1));
    expect(from.length).toBe(value.length);
    for (const [index, was] of from.entries())
      expect(was < 0 ? assigned.includes(index) : named.has(index) || value[index] === base[was]).toBe(true);
  } else {
    for (const key of new Set([...Object.keys(base), ...Object.keys(value)])) {
      expect(named.has(key) || Reflect.get(base, key) === Reflect.get(value, key)).toBe(true);
    }
  }
  for (const child of children) {
    expect(child.value === Reflect.get(value, child.key)).toBe(true);
    expectTouched(child);
  }
}
