// Whatever is sent to a board, valid or garbage, in any order: it never throws, never changes what
// it was given, and always leaves a valid board.

import fc from "fast-check";
import { expect, test } from "vitest";
import { board, type Board, sampleBoard } from "../src/index.ts";
import { Board as Schema } from "../src/schema.ts";
import { update } from "./updates.ts";

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
