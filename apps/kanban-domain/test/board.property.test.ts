// Whatever is sent to a board, valid or garbage, in any order: it never throws, never changes what
// it was given, and always leaves a valid board.

import fc from "fast-check";
import { expect, test } from "vitest";
import { board, type Board, sampleBoard } from "../src/index.ts";
import { Board as Schema } from "../src/schema.ts";

// Mostly what fits the sample board, so that sequences go deep; the rest is wrong in a way that
// somebody could get wrong.
const mostly = <T>(right: readonly T[], wrong: readonly T[]) =>
  fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });
const columnId = mostly(["backlog", "in-progress", "review", "done"], ["blocked", "Done", "__proto__", ""]);
const cardId = mostly(["T-1", "T-2", "T-3", "T-15", "T-42", "T-43", "T-44"], ["constructor", "T-1 ", ""]);
const title = fc.oneof(
  fc.constantFrom("Done", "Blocked", " Review ", "x", "", "a".repeat(201)),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
);
const position = fc.oneof(fc.nat(6), mostly([0, 1], [-1, 1e9, 0.5]));
const priority = mostly([1, 2, 3, 4], [0, 5]);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("move"),
      cardId: maybe(cardId),
      fromColumn: maybe(columnId),
      toColumn: columnId,
      position: maybe(position),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("remove"), cardId: maybe(cardId), fromColumn: maybe(columnId) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("addCard"),
      columnId,
      title,
      priority: maybe(priority),
      position: maybe(position),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("editCard"), cardId, title: maybe(title), priority: maybe(priority) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("addColumn"),
      title,
      position: maybe(position),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("renameColumn"), columnId, title }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("removeColumn"), columnId }) },
);
const replacement = fc.record({
  columns: fc.uniqueArray(
    fc.record({
      columnId,
      title,
      cardCount: maybe(fc.nat()),
      cards: fc.array(fc.record({ cardId, title, priority }), { maxLength: 2 }),
    }),
    { maxLength: 4, selector: (column) => column.columnId },
  ),
});
const update = fc.oneof(
  { weight: 12, arbitrary: operation },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("$batch"), operations: fc.array(operation, { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: replacement },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("$replace"), value: replacement }) },
  { weight: 1, arbitrary: fc.anything() },
);

function checkState(state: Board | null): void {
  if (state === null) return;
  expect(Schema.safeParse(state).error).toBeUndefined();
  for (const column of state.columns) expect(column.cardCount).toBe(column.cards.length);
}

test("no sequence of updates throws, changes its input, breaks the schema or leaves a count stale", () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(sampleBoard, sampleBoard, null),
      fc.array(update, { minLength: 12, maxLength: 40, size: "max" }),
      (start, updates) => {
        let state: Board | null = start;
        for (const each of updates) {
          const before = JSON.stringify(state);
          const copy = structuredClone(each);
          const result = board.transition(state, each);
          expect(JSON.stringify(state)).toBe(before);
          expect(each).toEqual(copy);
          if (!result.accepted) {
            expect(result.state).toBe(state);
            // "failed" would be a bug of an operation; so would an operation that relies on the
            // schema to say no.
            expect(result.rejection.code).not.toBe("failed");
            if (board.model.operations.has(result.rejection.operation.type))
              expect(result.rejection.code).not.toBe("invalid_state");
          } else if (result.patches.length > 0) accepted += 1;
          checkState(result.state);
          state = result.state;
        }
      },
    ),
    { numRuns: 200 },
  );
  // The sequences must do something, or the property says nothing.
  expect(accepted).toBeGreaterThan(500);
});
