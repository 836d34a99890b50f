// What is told beside a wish is left out, and what may be a wish of its own is not.

import { expect, test } from "vitest";
import { pointingBack, withoutAsides, withoutCries } from "../../src/offline-model/wordings/asides.ts";
import { otherWords } from "../../src/offline-model/wordings/other-words.ts";

test.each([
  ["T-19 to the top of Done, we want to brag about it", "T-19 to the top of Done"],
  ["customers are complaining. T-19 to Backlog", "T-19 to Backlog"],
])("%s", (text, wish) => expect(withoutAsides(text)).toContain(wish));

test.each([
  ["another card", "move T-15 to Review, they asked for the csv one"],
  ["another wish", "move T-15 to Review, you can remove T-2"],
  ["a condition", "move T-15 to Review, we must test first"],
  ["what the wish points back at", "we like dark mode, move it to Done"],
  ["what help is for", "I'm moving house, can you help"],
])("%s is no aside: %s", (_, text) => expect(withoutAsides(text)).toEqual([]));

test.each([
  ["we just shipped the pricing card, park it in Done", "park the pricing card in Done"],
  ["last one in Done, drop it back into Review", "drop last one in Done back into Review"],
])("%s", (text, wish) => expect(pointingBack(text)).toContain(wish));

test("a cry says nothing", () => {
  expect(withoutCries("T-3 is finished, yay! move it")).toEqual(["T-3 is finished! move it"]);
});

test.each([
  [
    "In Progress: first card to Review, last card to Backlog",
    "move the first card in In Progress to Review, move the last card in In Progress to Backlog",
  ],
  [
    "add 'A' p1 and 'B' p4 to Review",
    "add a card “A” to Review with priority 1 and add a card “B” to Review with priority 4",
  ],
  ["remove the Done column and its cards", "clear Done, then delete the Done column"],
  ["can you give more priority to T-3? I want 1", "set the priority of T-3 to 1"],
])("several wishes: %s", (text, each) => expect(otherWords(text)).toContain(each));
