// A request in other words: each wording of the table fits its example, and what a request hinges
// on is never dropped.

import { expect, test } from "vitest";
import { otherWords } from "../../src/offline-model/reading/other-words.ts";
import { parseRequest } from "../../src/offline-model/reading/parse.ts";
import { STATEMENTS, WISHES } from "../../src/offline-model/reading/verbs.ts";

test.each([...WISHES, ...STATEMENTS].map(({ example, says }) => [example, says] as const))(
  "a wording fits its example, and is read: %s",
  (example, says) => {
    expect(says.test(example)).toBe(true);
    const kinds = otherWords(example).map((wording) => parseRequest(wording).flat()[0]?.kind);
    expect(kinds.some((kind) => kind !== "unknown" && kind !== "choose")).toBe(true);
  },
);

test.each([
  ["T-3 is blocked, so put it back in Backlog", "put T-3 back in Backlog"],
  ["T-3 is finished, move it", "T-3 is finished"],
  ["just wanted to ask what's in Review", "what's in Review"],
  ["ship 'the end' and kick off T-2", "mark “the end” as done and move T-2 to In Progress"],
  ["urgent?", "which cards are urgent"],
])("%s: %s", (request, wording) => expect(otherWords(request)).toContain(wording));

test.each([
  "if T-3 is finished, move it",
  "T-3 is not shipped",
  "T-3 is finished, don't move it",
  "T-3 will be shipped soon",
  "T-3 is almost done",
])("keeps what it hinges on: %s", (request) => expect(otherWords(request)).toEqual([]));
