// A title that is not quoted holds no place and no second wish: it is read as such, or asked about.

import { sampleBoard } from "@opstate/kanban-domain";
import { expect, test } from "vitest";
import { understood } from "../../src/offline-model/understand.ts";

const read = (request: string) => understood({ request, earlier: undefined, board: sampleBoard, waits: () => false });

test.each([
  ["add a card Order pizza after Review"],
  ["add a card Order pizza, for Review"],
  ["add a card Order pizza (Review)"],
  ["add card Order pizza up top"],
  ["add a card Order pizza in its place"],
  ["add a card Order pizza between T-23 and T-36"],
  ["add card order pizza p2 review"],
  ["add a card saying move it to done"],
  ["rename T-2 to Night mode in Review"],
  ["add column Parked in first place"],
])("asks: %s", (request) => {
  const { obstacles, replies } = read(request);
  expect(obstacles).toEqual([expect.stringMatching(/^Is '.+' the whole title\?/)]);
  expect(replies.map((reply) => read(reply).obstacles)).toEqual(replies.map(() => []));
  expect(replies).not.toEqual([]);
});

test.each([
  ["add a card Order pizza, in column Review", { titles: ["Order pizza"], column: "Review" }],
  ["add 'Order pizza' to Review instead", { titles: ["Order pizza"], column: "Review" }],
  ["add a card 'Order pizza after Review'", { titles: ["Order pizza after Review"] }],
  ["add a card Order pizza, p1, to Review", { titles: ["Order pizza"], column: "Review", priority: 1 }],
  ["insert a column Parked between Review and Done", { titles: ["Parked"], position: { before: "Done" } }],
  ["add a column between Review and Done called Parked", { titles: ["Parked"], position: { before: "Done" } }],
  ["add a column On hold after Review", { titles: ["On hold"], position: { after: "Review" } }],
])("reads the place: %s", (request, intent) =>
  expect(read(request)).toMatchObject({ steps: [[intent]], obstacles: [] }),
);

test.each([
  ["add 'Order pizza' to Review and make that P1", { by: "name", name: "Order pizza" }],
  ["move T-1 to Review. That one is urgent.", { by: "name", name: "T-1" }],
  ["move all cards in Review to Done except T-23, and make that one urgent", { by: "name", name: "T-23" }],
])("that is the card before: %s", (request, card) =>
  expect(read(request).steps.flat().at(-1)).toMatchObject({ kind: "prioritise", cards: [card], priority: 1 }),
);

test("of two cards, it is neither", () => {
  expect(read("add 'One' and 'Two' to Review, then make it urgent").obstacles).not.toEqual([]);
});

test("what a later step names must be there before the first is done", () => {
  expect(read("add 'One' to Review, then move Foo bar to Done").obstacles).toEqual(["There is no card 'Foo bar'."]);
});
