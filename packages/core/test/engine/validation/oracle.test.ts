// The oracle of validation is a full parse by zod: random schemas, random edits, the same verdict
// and the same value.

import * as fc from "fast-check";
import { produce } from "immer";
import { describe, expect, it } from "vitest";
import { safeParse, type $ZodType } from "zod/v4/core";
import { runs } from "../../../../../tools/runs.ts";
import { recordingDrafts, type Touched } from "../../../src/engine/draft/draft.ts";
import { compileValidator } from "../../../src/engine/validation/validate.ts";
import { edit, edits, type Edit } from "./edits.ts";
import { containers, libraries } from "./schemas.ts";

/** A long form draws another seed each time. */
const RUNS = runs(300);

/** A schema, a value of it, another value of it, and edits. */
const cases = fc.tuple(containers, fc.constantFrom(...libraries)).chain(([sample, [library, z]]) =>
  fc.tuple(sample.value, sample.value, edits).map(([value, donor, list]) => ({
    name: `${library}: ${sample.name}`,
    build: () => sample.build(z),
    value,
    donor,
    list,
  })),
);

interface Step {
  readonly schema: $ZodType;
  readonly prev: object;
  readonly next: unknown;
  readonly touched: Touched | undefined;
}

type Draft = (
  prev: object,
  recipe: (draft: unknown) => void,
) => { readonly next: object; readonly touched: Touched | undefined };

const byImmer: Draft = (prev, recipe) => ({
  next: produce(prev, (draft: unknown) => void recipe(draft)),
  touched: undefined,
});

const byRecording: Draft = (prev, recipe) => {
  const drafting = recordingDrafts.begin(prev, { freeze: false });
  recipe(drafting.draft);
  const { state, touched } = drafting.finish();
  return { next: state, touched };
};

/** A value that comes out of the schema as it is, and what the edits make of it. */
function step(
  draft: Draft,
  { build, value, donor, list }: { build: () => $ZodType; value: unknown; donor: unknown; list: readonly Edit[] },
): Step | undefined {
  const schema = build();
  const first = parse(schema, value);
  if (first?.ok !== true) return undefined;
  const prev = first.value;
  // A schema whose output parses to something else is no schema of a state.
  const again = parse(schema, prev);
  if (again?.ok !== true || !same(again.value, prev) || typeof prev !== "object" || prev === null) return undefined;
  return { schema, prev, ...draft(prev, (present) => edit(present, donor, list)) };
}

type Oracle = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: Issues };
type Issues = readonly { readonly code?: string | undefined; readonly path?: readonly PropertyKey[] | undefined }[];

/**
 * Undefined where zod throws: an intersection whose sides make different things of the value. There
 * we refuse the value.
 */
function parse(schema: $ZodType, value: unknown): Oracle | undefined {
  try {
    const result = safeParse(schema, structuredClone(value));
    if (!result.success) return { ok: false, issues: result.error.issues };
    const absent = absentItem(result.data);
    return absent === undefined ? { ok: true, value: json(result.data) } : { ok: false, issues: [{ path: absent }] };
  } catch {
    return undefined;
  }
}

/** The path of an item that zod made undefined: JSON has none, so such a list is refused. */
function absentItem(value: unknown, path: readonly PropertyKey[] = []): readonly PropertyKey[] | undefined {
  if (Array.isArray(value)) {
    const index = value.findIndex((item) => item === undefined);
    if (index >= 0) return [...path, index];
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found = absentItem(child, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether zod left a key of `value` out. */
function stripped(value: unknown, output: unknown): boolean {
  if (typeof value !== "object" || value === null || typeof output !== "object" || output === null) return false;
  return Object.keys(value).some(
    (key) =>
      (!Array.isArray(output) && !Object.hasOwn(output, key)) ||
      stripped(Reflect.get(value, key), Reflect.get(output, key)),
  );
}

function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function same(left: unknown, right: unknown): boolean {
  try {
    expect(left).toEqual(right);
    return true;
  } catch {
    return false;
  }
}

/**
 * We name what zod names, or what is around or inside it: zod stops at a union, we name the branch.
 * Unknown keys zod may strip.
 */
function expectPath(ours: Issues, zods: Issues): void {
  const near = ({ path: left = [] }: Issues[number], { path: right = [] }: Issues[number]): boolean =>
    left.slice(0, right.length).every((key, index) => String(key) === String(right[index]));
  const named = ours.some((issue) => issue.code === "unrecognized_keys" || zods.some((other) => near(issue, other)));
  expect(
    named,
    `${JSON.stringify(ours.map(({ path }) => path))} is none of ${JSON.stringify(zods.map(({ path }) => path))}`,
  ).toBe(true);
}

/**
 * Runs many steps; both verdicts have to come up often enough for the agreement to mean something.
 */
function agree(draft: Draft, check: (made: Step, oracle: Oracle) => boolean): void {
  const verdicts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(cases, (made) => {
      const one = step(draft, made);
      const oracle = one && parse(one.schema, one.next);
      fc.pre(one !== undefined && oracle !== undefined);
      verdicts[check(one, oracle) ? "accepted" : "refused"]++;
    }),
    { numRuns: RUNS },
  );
  expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(RUNS / 8);
}

function touchedAgrees({ schema, prev, next, touched }: Step, oracle: Oracle): boolean {
  const validator = compileValidator(schema);
  expect(validator.full(prev)).toEqual({ ok: true, value: prev });
  const ours = validator.touched(prev, next, touched);
  // What zod would strip, an operation may not write.
  const written = oracle.ok && stripped(next, oracle.value);
  expect(ours.ok).toBe(oracle.ok && !written);
  if (ours.ok && oracle.ok) {
    expect(json(ours.value)).toEqual(oracle.value);
    if (same(oracle.value, next)) expect(ours.value).toBe(next);
  } else if (!ours.ok && !oracle.ok) expectPath(ours.issues, oracle.issues);
  else if (!ours.ok) expect(ours.issues.every(({ code }) => code === "unrecognized_keys")).toBe(true);
  return ours.ok;
}

describe("validation agrees with a full parse by zod", { timeout: 3_600_000 }, () => {
  it("for the whole value", () => {
    agree(byImmer, ({ schema, next }, oracle) => {
      const ours = compileValidator(schema).full(next);
      expect(ours.ok).toBe(oracle.ok);
      if (ours.ok && oracle.ok) {
        expect(json(ours.value)).toEqual(oracle.value);
        if (same(oracle.value, next)) expect(ours.value).toBe(next);
      } else if (!ours.ok && !oracle.ok) expectPath(ours.issues, oracle.issues);
      return ours.ok;
    });
  });

  it("for what an edit touched, found by identity", () => agree(byImmer, touchedAgrees));

  it("for what an edit touched, as the draft recorded it", () => agree(byRecording, touchedAgrees));
});
