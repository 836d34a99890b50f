// The board on the page's build beside the authority's: equal verdicts, equal states, equal ids.

import { memoryLog, openThread } from "@opstate/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { board, sampleBoard } from "../../src/index.ts";
import { update } from "../updates.ts";

const RUNS = runs(200, 5_000);

test("random updates get equal verdicts and lead to equal states", { timeout: 60_000 + RUNS * 100 }, async () => {
  // A thread runs on the full engine in every build.
  const { definition: full } = await openThread({ definition: board, log: memoryLog(), threadId: "t" });
  expect(full).not.toBe(board);
  let [changed, refused] = [0, 0];
  fc.assert(
    fc.property(
      fc.constantFrom(sampleBoard, sampleBoard, null),
      fc.array(fc.tuple(update, fc.constantFrom("user", "agent", undefined)), {
        minLength: 12,
        maxLength: 40,
        size: "max",
      }),
      (start, updates) => {
        let state: unknown = start;
        for (const [index, [each, kind]] of updates.entries()) {
          const submission = { id: `s${index}`, at: "2026-01-01T00:00:00.000Z" };
          const context = kind === undefined ? submission : { ...submission, actor: { kind, id: "ada" } };
          const wanted = full.transition(state as never, each, context);
          const given = board.transition(state as never, each, context);
          expect([given.accepted, given.state]).toEqual([wanted.accepted, wanted.state]);
          if (!wanted.accepted || !given.accepted) {
            refused += 1;
            const words = (result: typeof given) =>
              result.accepted ? [] : [result.rejection.code, result.rejection.reason, result.rejection.details];
            expect(words(given)).toEqual(words(wanted));
          } else if (wanted.patches.length > 0) changed += 1;
          state = wanted.state;
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(changed).toBeGreaterThan(RUNS * 2);
  expect(refused).toBeGreaterThan(RUNS * 2);
});
