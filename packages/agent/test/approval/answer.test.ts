// Answers from outside may be anything: each is read, or has words for what is wrong with it.

import { readAnswer } from "@opstate/agent";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

const operation = { type: "move", id: "T-1" };

describe("an answer", () => {
  it.each([
    ["accept", { type: "accept" }],
    [{ type: "accept", by: "ada" }, { type: "accept" }],
    ["decline", { type: "decline" }],
    [{ type: "decline", message: "" }, { type: "decline" }],
    [
      { type: "decline", message: "no" },
      { type: "decline", message: "no" },
    ],
    [
      { type: "edit", operation },
      { type: "edit", operation },
    ],
    [
      { type: "edit", operation, basedOn: 3, things: ["/cards/0"] },
      { type: "edit", operation, basedOn: 3, things: ["/cards/0"] },
    ],
  ])("is read: %j", (value, answer) => expect(readAnswer(value)).toEqual({ answer }));

  it.each([
    [undefined, "The answer must be"],
    [true, "it was true"],
    [[{ type: "accept" }], "The answer must be"],
    [{ type: "edit", operation: "move" }, "An edit needs the `operation`"],
    [
      { type: "edit", operation, basedOn: "3" },
      '`basedOn` must be the version that was shown: 0, 1, 2...; it was "3".',
    ],
    [{ type: "edit", operation, things: {} }, "`things` must be a list."],
    [{ type: "decline", message: ["no"] }, "The `message` must be a text"],
  ])("is not accepted, with words: %j", (value, words) => expect(readAnswer(value).problem).toContain(words));

  it("is read or has a problem, never both, whatever it is", () => {
    const some = fc.oneof(
      fc.anything({ withBigInt: true, withNullPrototype: true }),
      fc.record(
        {
          type: fc.oneof(fc.constantFrom("accept", "edit", "decline"), fc.anything()),
          operation: fc.oneof(fc.constant(operation), fc.anything()),
          message: fc.oneof(fc.string(), fc.anything()),
          basedOn: fc.oneof(fc.nat(), fc.anything()),
          things: fc.oneof(fc.array(fc.string()), fc.anything()),
        },
        { requiredKeys: ["type"] },
      ),
    );
    fc.assert(
      fc.property(some, (value) => {
        const { answer, problem } = readAnswer(value);
        expect([answer === undefined, problem === undefined].filter(Boolean)).toHaveLength(1);
        if (problem !== undefined) expect(problem.length).toBeLessThan(1_000);
      }),
    );
  });
});
