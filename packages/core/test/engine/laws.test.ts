import { applyPatch } from "@opstate/core/json-patch";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Board, board, failures, sample } from "./board.ts";

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
    extra: fc.boolean(),
  },
  { requiredKeys: ["columnId", "title", "cards"] },
);
const replacement = fc.record({ columns: fc.array(column, { maxLength: 3 }) });
const garbage = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    undefined,
    NaN,
    "",
    { type: "move" },
    { type: "$batch" },
    { type: "$replace" },
    { type: "$patch", patch: [] },
    { type: "toString" },
    { type: "__proto__" },
    nested(5000),
  ),
);
const batch = fc.record({
  type: fc.constant("$batch"),
  operations: fc.array(fc.oneof(operation, garbage), { maxLength: 4 }),
});
const update = fc.oneof(
  { arbitrary: operation, weight: 6 },
  { arbitrary: replacement, weight: 2 },
  { arbitrary: batch, weight: 1 },
  { arbitrary: garbage, weight: 2 },
);
const updates = fc.array(update, { minLength: 10, maxLength: 40, size: "max" });

/** An object whose every read throws. */
function hostile(): object {
  return new Proxy({}, { get: boom, has: boom, ownKeys: boom, getOwnPropertyDescriptor: boom, getPrototypeOf: boom });
}
function boom(): never {
  throw new Error("hostile");
}
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let index = 0; index < depth; index++) value = [value];
  return value;
}

interface Step {
  readonly state: ReturnType<typeof board.reduce>;
  /** Copies of the state and the update, made before the transition. */
  readonly before: unknown;
  readonly sent: unknown;
  readonly update: unknown;
  readonly result: ReturnType<typeof board.transition>;
}

/** Checks every step of random sequences of updates; gives how often `check` returned true. */
function everyStep(check: (step: Step) => unknown): number {
  let count = 0;
  fc.assert(
    fc.property(updates, (sequence) => {
      let state: ReturnType<typeof board.reduce> = sample();
      for (const update of sequence) {
        const before = structuredClone(state);
        const sent = copyOf(update);
        const result = board.transition(state, update);
        if (check({ state, before, sent, update, result }) === true) count++;
        if (result.accepted) state = result.state;
      }
    }),
    { numRuns: 150 },
  );
  return count;
}

describe("the laws of one transition", () => {
  it("never throws, and mutates neither the state nor the update", () => {
    everyStep(({ state, before, update, sent }) => {
      expect(state).toEqual(before);
      expect(copyOf(update)).toEqual(sent);
    });
  });

  it("prints nothing: of an operation that crashes only the definition's own hook learns", () => {
    const printed = (["error", "warn", "log", "info", "debug"] as const).map((method) => vi.spyOn(console, method));
    failures.length = 0;
    everyStep(() => true);
    expect(failures.length).toBeGreaterThan(0);
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it("reduces to the state of the transition", () => {
    everyStep(({ state, update, result }) => {
      const expected = update === null || update === undefined ? state : result.state;
      expect(board.reduce(state, update as never)).toEqual(expected);
    });
  });

  it("a refusal returns the same reference, and its reason is JSON of at most 2 KB", () => {
    const refused = everyStep(({ state, result }) => {
      if (result.accepted) return false;
      expect(result.state).toBe(state);
      expect(JSON.stringify(result.rejection).length).toBeLessThanOrEqual(2048);
      expect(JSON.parse(JSON.stringify(result.rejection))).toEqual(result.rejection);
      return true;
    });
    expect(refused).toBeGreaterThan(500);
  });

  it("an accepted state satisfies the schema, and its derived fields are up to date", () => {
    const accepted = everyStep(({ result }) => {
      if (!result.accepted) return false;
      expect(Board.safeParse(result.state).data).toEqual(result.state);
      for (const found of result.state?.columns ?? []) expect(found.cardCount).toBe(found.cards.length);
      expect(result.state?.total).toBe(result.state?.columns.flatMap((found) => found.cards).length);
      return true;
    });
    expect(accepted).toBeGreaterThan(500);
  });

  it("the patches lead to the next state and back; without any the state is the same reference", () => {
    everyStep(({ state, before, result }) => {
      if (!result.accepted) return;
      const { patches, inverse } = result;
      if (patches.length === 0) expect(result.state).toBe(state);
      expect(applyPatch(state, patches)).toMatchObject({ ok: true, document: result.state });
      expect(applyPatch(result.state, inverse)).toMatchObject({ ok: true, document: before });
    });
  });

  it("what cannot even be read is refused", () => {
    const state = sample();
    for (const update of [
      hostile(),
      { type: "add", title: hostile() },
      { type: "$batch", operations: hostile() },
      [hostile()],
    ]) {
      expect(board.transition(state, update)).toMatchObject({ accepted: false, state });
    }
  });

  it("a batch does what its operations do one after another, or nothing", () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 6 }), (operations) => {
        const start = sample();
        const batch = board.transition(start, { type: "$batch", operations });
        let state: ReturnType<typeof board.reduce> = start;
        const each = operations.map((one) => {
          const result = board.transition(state, one);
          state = result.state;
          return result.accepted;
        });
        expect(batch.accepted).toBe(each.every(Boolean));
        expect(batch.state).toEqual(batch.accepted ? state : start);
      }),
      { numRuns: 300 },
    );
  });
});

function copyOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}
