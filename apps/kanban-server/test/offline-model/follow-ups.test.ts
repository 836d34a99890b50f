// What follows on a request, and what is only supposed, said whole; and what must not be.

import { sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, test } from "vitest";
import { parseRequest } from "../../src/offline-model/reading/parse.ts";
import { cardsOf } from "../../src/offline-model/resolve.ts";
import { readCards } from "../../src/offline-model/reading/card-phrase.ts";
import { followUps } from "../../src/offline-model/wordings/follow-ups.ts";
import { withoutAsides } from "../../src/offline-model/wordings/asides.ts";
import { otherWords } from "../../src/offline-model/wordings/other-words.ts";
import { withoutLeftAlone } from "../../src/offline-model/wordings/plainer.ts";
import { query } from "../../src/offline-model/words/in-words.ts";
import { ask, boardThread } from "../support/board-run.ts";

const last = (request: string) => parseRequest(request).flat()[0];

describe("a follow-up", () => {
  test.each([
    ["move T-1 to Done", "actually, review", "move T-1 to review"],
    ["move T-1 to Done", "same for the pricing one", "move the pricing one to Done"],
    ["remove T-1", "and the csv card too", "remove the csv card"],
    ["set priority of T-1 to 1", "make it a 2", "set priority of T-1 to 2"],
    ["what is in Review", "move the second one to Done", "move the second card in Review to Done"],
    ["what is in Review", "delete all of it", "delete everything in Review"],
    ["rename T-1 to Find", "no wait, call it Seek", "rename “Find” to “Seek”"],
  ])("%s, %s", (before, request, whole) => expect(followUps(request, last(before))).toContain(whole));

  test.each([
    ["nothing", undefined, "actually, review"],
    ["a question about the board", last("what is on the board"), "the second one to Done"],
    ["a new wish", last("move T-1 to Done"), "and then remove it"],
  ])("needs what it follows: %s", (_, before, request) => expect(followUps(request, before)).toEqual([]));
});

describe("what is left out", () => {
  test.each([
    ["send T-36 back to In Progress, it needs more work", "send T-36 back to In Progress"],
    ["clear Review and Done, both", "clear Review and Done"],
    ["remove T-3, we don't need it, and move T-4 to Done", "remove T-3, and move T-4 to Done"],
  ])("%s", (text, wish) => expect(withoutAsides(text)).toContain(wish));

  test.each([
    "move T-1 to Done, all of them",
    "move T-1 to Done, it needs to go to Review",
    "move T-1 to Done, I don't want it there",
    "move T-1 to Done, it isn't in Review",
    "move T-1 to Done, we don't move it back",
  ])("is no aside: %s", (text) => expect(withoutAsides(text)).toEqual([]));

  test.each([
    ["leave the pricing card alone for now, but start on dark mode", ["start on dark mode"]],
    ["don't delete anything, just move T-1 to Done", ["move T-1 to Done"]],
    ["don't touch the pricing card, move the pricing card to Done", []],
    ["don't touch T-1, move it to Done", []],
    ["don't touch Review, clear everything", []],
  ])("what is left alone: %s", (text, wishes) => expect(withoutLeftAlone(text)).toEqual(wishes));
});

test.each([
  ["I need two cards, write tests and write docs", "add cards: write tests, write docs"],
  ["new card: call Bob, Review, urgent", "add a card “call Bob” to Review with priority 1"],
  ["T-2 n T-3 to Done", "T-2 and T-3 to Done"],
])("%s", (text, plain) => expect(otherWords(text)).toContain(plain));

test("as many titles as are said, or none", () => {
  expect(otherWords("I need three cards, write tests and write docs").filter((each) => each.startsWith("add"))).toEqual(
    [],
  );
});

test.each([
  ["the two at the bottom of Backlog", ["T-3", "T-38"]],
  ["the middle card of In Progress", ["T-27"]],
  ["the p4 one in Done", ["T-11"]],
  ["the lowest priority card in Backlog", ["T-38"]],
  ["all but the first two in Backlog", ["T-2", "T-3", "T-38"]],
  ["everything thats in Review", ["T-23", "T-36"]],
  ["everything in progress", ["T-15", "T-27", "T-31"]],
])("cards by where they stand: %s", (phrase, ids) =>
  expect(readCards(phrase).flatMap((query) => cardsOf(sampleBoard, query).map(({ cardId }) => cardId))).toEqual(ids),
);

test.each([
  "the p4 card from Done",
  "the urgent card from Review",
  "some of the cards in Review",
  "the middle card from Done",
])("said in words it means no more cards: %s", (phrase) => expect(readCards(phrase).map(query)).toEqual([phrase]));

test("a card is added where it is said: right under another", async () => {
  const thread = await boardThread();
  await ask(thread, "add 'Translate to German' right under the announcement");
  expect(
    thread
      .getState()
      ?.columns[0]?.cards.map(({ title }) => title)
      .slice(1, 3),
  ).toEqual(["Write the launch announcement", "Translate to German"]);
});

test.each([
  "if rate limits is ready, move it to done",
  "once T-1 is done, remove it",
  "should I clear Done?",
  "what happens if I delete everything in Done",
  "would it be ok to remove T-1?",
  "can you delete cards?",
  "unless T-1 is done, remove it",
])("what is only supposed is not done: %s", async (request) => {
  const thread = await boardThread();
  await ask(thread, request);
  expect(thread.getState()).toEqual(sampleBoard);
  expect(await thread.proposals()).toEqual([]);
});
