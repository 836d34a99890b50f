// What is said for politeness is taken off a clause, and nothing else.

import { expect, test } from "vitest";
import { parseRequest } from "../../src/offline-model/reading/parse.ts";
import { withoutManners } from "../../src/offline-model/reading/manners.ts";

test.each([
  ["hey so I was thinking, could you maybe move T-3 to Review for me?", "move T-3 to Review"],
  ["so, um, quick one: move T-3 to Review", "move T-3 to Review"],
  ["when you get a chance, move T-3 to Review real quick, thx", "move T-3 to Review"],
  ["would you mind moving T-3 to Review?", "move T-3 to Review"],
  ["I'd be happy if you could move T-3 to Review if you can", "move T-3 to Review"],
  ["I would like that you move T-3 to Review, folks", "move T-3 to Review"],
  ["please to move T-3 to Review", "move T-3 to Review"],
])("%s", (clause, wish) => expect(withoutManners(clause)).toBe(wish));

test.each([
  "move T-3 to Review if T-4 is done",
  "add a card thank the team",
  "do not move T-3 to Review",
  "add a card call Bob today",
])("is left as it is: %s", (clause) => expect(withoutManners(clause)).toBe(clause));

test("what is not understood is asked back as it was written", () => {
  const clause = "hey so, could you maybe flibber T-3 for me?";
  expect(parseRequest(clause).flat()).toEqual([{ kind: "unknown", text: clause }]);
});
