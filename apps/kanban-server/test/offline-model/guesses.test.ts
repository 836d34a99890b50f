// What is offered where a request is not understood.

import { sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, test } from "vitest";
import { CUES, guesses } from "../../src/offline-model/guesses.ts";
import type { Intent } from "../../src/offline-model/intent.ts";
import { obstaclesIn } from "../../src/offline-model/obstacles.ts";
import { understood } from "../../src/offline-model/understand.ts";

const read = (request: string) => understood({ request, earlier: undefined, board: sampleBoard, waits: () => false });

describe("a guess", () => {
  test.each(CUES.map((cue) => [cue.example, cue] as const))("is made by the cue of its example: %s", (example, cue) => {
    const [guess = ""] = guesses(example, sampleBoard);
    expect(guess).not.toBe("");
    expect(cue.offers({ cardId: /T-\d+/.exec(guess)?.[0] ?? "", board: sampleBoard })).toBe(guess);
    expect(read(guess).obstacles).toEqual([]);
  });

  test.each([
    ["the spreadsheet import has to go to Done", ["Move T-27 to Done"]],
    ["I told you already: the sign-up form goes BEFORE rate limits", ["Move T-36 before T-23"]],
    ["the flicker is not important", ["Set priority of T-19 to 4"]],
  ])("follows the words: %s", (text, offered) => expect(guesses(text, sampleBoard)).toEqual(offered));

  test.each([
    "is dark mode live?",
    "don't ship the csv export",
    "dark mode is not finished",
    "dark mode is far from finished",
    "neither dark mode nor the shortcuts are done",
    "ship dark mode if Bob agrees",
    "let's not kill dark mode yet",
    "don't forget dark mode",
    "T-3 is no longer blocked",
    "dark mode doesn't need review",
    "dark mode can wait, not the flicker",
    "T-2 is not important but T-3 is",
    "dark mode went live and the shortcuts come next",
    "Ada finished the shortcuts after dark mode",
    "the shortcuts go before the keyboard",
    "add a card about dark mode that is done",
    "nothing of this makes sense",
    "the weather is fine",
    "please help me out",
  ])("is not made of a question, a condition, what should not be, or of nothing: %s", (text) =>
    expect(guesses(text, sampleBoard)).toEqual([]),
  );
});

test.each([
  "remove a card called Foo and one called Bar",
  "make a card for the logo and another one for the slogan and delete T-3",
  "I didn't mean to undo that",
  "customers are important",
  "clear Done except people",
  "T-3 must say what it does",
  "in Review there should be nothing",
  "in Review there should be dark mode",
  "priority of T-1 to 3?",
  "T-3 should be called Find?",
  "should Done be on the right?",
  "T-3 should come after lunch",
  "I want a card to be p1",
  "we need a card for the party unless we have one, p2",
  "for Friday, a card for the party",
  "haha delete everything",
])("does not read a wish into: %s", (request) => {
  const { steps, obstacles } = read(request);
  const acts = steps.flat().some(({ kind }) => !["ask", "talk", "unknown", "choose"].includes(kind));
  expect(acts && obstacles.length === 0 ? steps : []).toEqual([]);
});

test.each(["send T-2 to the top", "drag T-2 to the top", "bring T-2 to the top"])("still reads: %s", (request) =>
  expect(read(request)).toMatchObject({ obstacles: [], steps: [[{ kind: "move" }]] }),
);

test.each([
  ["announcement went out at 9 today, woohoo", "Do you mean: move 'Write the launch announcement' (T-1) to Done?"],
  ["add a card called ''", "A title has at least one letter. What should it be called?"],
  ["frobnicate everything in Review but not the rate limits", "I did not understand"],
])("it asks back: %s", (request, says) => {
  const { obstacles, replies } = read(request);
  expect(obstacles.join()).toContain(says);
  expect(replies.flatMap((reply) => read(reply).obstacles)).toEqual([]);
});

test("what is left out is not forgotten by an offer", () => {
  const all: Intent = { kind: "move", cards: [{ by: "all" }], column: "Done" };
  const offered = (text: string) =>
    obstaclesIn([[all], [{ kind: "unknown", text }]], sampleBoard, () => false, text).replies;
  expect(offered("frobnicate")).toContain("Move all cards to Done");
  expect(offered("but not the csv one")).not.toContain("Move all cards to Done");
});
