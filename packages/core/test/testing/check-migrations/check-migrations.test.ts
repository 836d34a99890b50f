import { defineState } from "@opstate/core";
import { checkMigrations } from "@opstate/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const define = (migrate?: Record<number, (state: any) => unknown>) =>
  defineState({
    name: "prices",
    version: 3,
    schema: z.object({ cents: z.array(z.int()), total: z.int(), currency: z.string().default("EUR") }),
    initial: { cents: [], total: 0, currency: "EUR" },
    derive: { "/total": ({ cents }) => cents.reduce((sum, cent) => sum + cent, 0) },
    operations: {},
    ...(migrate === undefined ? {} : { migrate }),
  });
const inCents = ({ euros }: { euros: number[] }) => ({ cents: euros.map((euro) => euro * 100) });
const same = (state: unknown) => state;

describe("checkMigrations", () => {
  it("gives what each stored state is now, and the versions that were not tried", async () => {
    const stored = [
      { version: 1, state: { euros: [1, 2] } },
      { version: 3, state: { cents: [5], total: 5, currency: "CHF" } },
    ];
    const before = structuredClone(stored);
    expect(await checkMigrations(define({ 1: inCents, 2: same }), stored)).toEqual({
      ok: true,
      states: [
        { cents: [100, 200], total: 300, currency: "EUR" },
        { cents: [5], total: 5, currency: "CHF" },
      ],
      untested: [2],
    });
    expect(stored).toEqual(before);
  });

  it("finds what would not open, by its place", async () => {
    const definition = define({
      1: inCents,
      2: (state) => ({ ...state, cents: state.cents.map((cent: number) => cent / 2) }),
    });
    expect(
      await checkMigrations(definition, [
        { version: 1, state: { euros: [1] } },
        { version: 1, state: { prices: [] } },
        { version: 2, state: { cents: [1] } },
        { version: 4, state: {} },
      ]),
    ).toEqual({
      ok: false,
      findings: [
        { index: 1, version: 1, message: expect.stringMatching(/from version 1 to 3 threw: step 1: /) },
        { index: 2, version: 2, message: expect.stringMatching(/gave no valid state: \/cents\/0 must be an integer/) },
        { index: 3, version: 4, message: expect.stringMatching(/was written by version 4 of "prices"/) },
      ],
    });
  });

  it("finds a state that opens, and accepts nothing but a replacement", async () => {
    expect(await checkMigrations(define(), [{ version: 2, state: { euros: [1] } }])).toEqual({
      ok: false,
      findings: [
        { index: 0, version: 2, message: expect.stringMatching(/^It is not a valid prices: \/cents is missing/) },
      ],
    });
    expect(await checkMigrations(define(), [{ version: 2, state: null }])).toMatchObject({ ok: false });
  });

  it("finds a state that does not stay as it is", async () => {
    let calls = 0;
    const definition = defineState({
      name: "drift",
      version: 2,
      schema: z.object({ n: z.int() }),
      initial: null,
      derive: { "/n": () => (calls += 1) },
      migrate: same,
      operations: {},
    });
    expect(await checkMigrations(definition, [{ version: 1, state: {} }])).toMatchObject({
      ok: false,
      findings: [{ message: expect.stringMatching(/migrated again/) }],
    });
  });
});
