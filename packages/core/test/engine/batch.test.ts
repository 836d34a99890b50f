// A batch copies a large object once for all its parts. It must come to what its parts come to one
// after another: what each of them sees on the way, the state, its derived fields, and the refusal.

import { defineState } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { runs } from "../../../../tools/runs.ts";
import { staysOpen } from "../../src/engine/draft/freeze.ts";
import { isBox, program, Run, tree, type Json, type Program } from "./draft/programs.ts";
import type { AnyOperation } from "../../src/engine/operation.ts";

const RUNS = runs(12, 300);
const MODES = ["development", "production", "unfrozen"] as const;

interface Part {
  readonly program: Program;
  /** Refuses in the end. */
  readonly refuses: boolean;
}

/** More keys than are copied for each part. */
const records = fc
  .tuple(fc.array(tree, { minLength: 4, maxLength: 8 }), fc.nat({ max: 40 }))
  .map(([values, more]) =>
    Object.fromEntries(
      Array.from({ length: 101 + more }, (_, n): [string, Json] => [
        `k${n}`,
        structuredClone(values[n % values.length] ?? null),
      ]),
    ),
  );

const bases = fc.record(
  {
    big: records,
    inside: fc.record({ deep: records }, { noNullPrototype: true }),
    list: fc.array(tree, { minLength: 2, maxLength: 45 }),
  },
  { noNullPrototype: true },
);

function define(mode: (typeof MODES)[number], parts: readonly Part[], seen: string[][]) {
  vi.stubEnv("NODE_ENV", mode === "production" ? "production" : "test");
  const value = z.looseObject({ size: z.number().optional() }).or(z.any());
  const definition = defineState({
    name: "any",
    schema: z.looseObject({
      big: z.record(z.string(), value),
      inside: z.looseObject({ deep: z.record(z.string(), value), count: z.number().optional() }),
      list: z.array(value).max(48),
      text: z.string().optional(),
    }),
    initial: null,
    ...(mode === "unfrozen" ? { freeze: false } : {}),
    limits: { state: { depth: 200 } },
    patches: true,
    derive: {
      "/inside/count": (inside) => Object.keys(inside.deep).length,
      "/text": (state) => `${Object.keys(state.big).join("").length} ${JSON.stringify(state.list).length}`,
    },
    operations: {
      run: {
        input: z.object({ part: z.int() }),
        apply(draft, { part }, { reject }) {
          const { program: given, refuses } = parts[part]!;
          const run = new Run(draft, given);
          seen.push(run.seen);
          run.run();
          if (refuses) return reject("enough", "It is enough");
        },
      },
    },
  });
  vi.unstubAllEnvs();
  return definition;
}

function expectFrozen(value: unknown, mode: (typeof MODES)[number]): void {
  if (!isBox(value) || mode === "unfrozen") return;
  expect(Object.isFrozen(value)).toBe(mode === "development" || !staysOpen(value));
  for (const part of Object.values(value)) expectFrozen(part, mode);
}

describe.each(MODES)("a batch, %s", (mode) => {
  test("does what its parts do one after another", { timeout: 60_000 + RUNS * 1000 }, () => {
    let accepted = 0;
    let refused = 0;
    const part = fc.record({ program: program(1, 5), refuses: fc.integer({ min: 0, max: 19 }).map((n) => n === 0) });
    fc.assert(
      fc.property(
        bases,
        fc.array(part, { minLength: 2, maxLength: 8 }),
        fc.nat({ max: 20 }),
        (given, parts, patched) => {
          const together: string[][] = [];
          const alone: string[][] = [];
          const [batched, sequential] = [define(mode, parts, together), define(mode, parts, alone)];
          const operations: AnyOperation[] = parts.map((_, index) => ({ type: "run", part: index }));
          // What is no operation ends what was kept of those before.
          if (patched < operations.length)
            operations.splice(patched, 0, {
              type: "$patch",
              patch: [{ op: "add", path: "/big/patched", value: patched }],
            } as never);
          const base: any = batched.reduce(undefined, given);
          expect(base).not.toBeNull();
          const pristine = structuredClone(base);

          const result = batched.transition(base, { type: "$batch", operations });
          let state: any = sequential.reduce(undefined, given);
          let why: unknown;
          for (const [index, operation] of operations.entries()) {
            const step = sequential.transition(state, operation);
            state = step.state;
            if (step.accepted) continue;
            const { path, message, ...rest } = step.rejection;
            why = {
              ...rest,
              path: `/operations/${index}${path ?? ""}`,
              message: `Operation ${index + 1} of the batch: ${message}`,
            };
            break;
          }

          expect(isDeepStrictEqual(base, pristine)).toBe(true);
          if (!isDeepStrictEqual(together, alone)) expect(together).toEqual(alone);
          expect(result.accepted).toBe(why === undefined);
          if (!result.accepted) {
            refused++;
            expect(result.rejection).toEqual(why);
            expect(result.state).toBe(base);
            return;
          }
          accepted++;
          if (!isDeepStrictEqual(result.state, state)) expect(result.state).toEqual(state);
          expectFrozen(result.state, mode);
          expect(
            isDeepStrictEqual(applyPatch(base, result.patches), { ok: true, document: state, inverse: result.inverse }),
          ).toBe(true);
          expect(applyPatch(result.state, result.inverse)).toMatchObject({ ok: true });
          const back = applyPatch(result.state, result.inverse);
          expect(back.ok && isDeepStrictEqual(back.document, pristine)).toBe(true);
          if (result.patches.length === 0) expect(result.state).toBe(base);
        },
      ),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 20);
    expect(refused).toBeGreaterThan(RUNS / 20);
  });
});
