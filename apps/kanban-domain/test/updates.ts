// Updates for a board: most fit the sample, the rest is wrong in a way that somebody could get
// wrong.

import fc from "fast-check";

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
export const update: fc.Arbitrary<unknown> = fc.oneof<fc.MaybeWeightedArbitrary<unknown>[]>(
  { weight: 12, arbitrary: operation },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("$batch"), operations: fc.array(operation, { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: replacement },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("$replace"), value: replacement }) },
  { weight: 1, arbitrary: fc.anything() },
);
