// A request in other words: what a request hinges on is never dropped.

import { expect, test } from "vitest";
import { otherWords } from "../../src/offline-model/wordings/other-words.ts";

test.each([
  ["T-3 is blocked, so put it back in Backlog", "put T-3 back in Backlog"],
  ["T-3 is finished, move it", "T-3 is finished"],
  ["just wanted to ask what's in Review", "what's in Review"],
  ["urgent?", "which cards are urgent"],
])("%s: %s", (request, wording) => expect(otherWords(request)).toContain(wording));

test.each([
  "if T-3 is finished, move it",
  "T-3 is not shipped",
  "T-3 is finished, don't move it",
  "T-3 will be shipped soon",
  "T-3 is almost done",
])("keeps what it hinges on: %s", (request) => expect(otherWords(request)).toEqual([]));
