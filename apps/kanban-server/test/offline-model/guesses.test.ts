// What is offered where a request is not understood.

import { sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, test } from "vitest";
import { CUES, guesses } from "../../src/offline-model/guesses.ts";
import type { Intent } from "../../src/offline-model/intent.ts";
import { repliesToUnknown } from "../../src/offline-model/replies.ts";
import { understood } from "../../src/offline-model/understand.ts";

const read = (request: string) => understood({ request, earlier: undefined, board: sampleBoard, waits: () => false });

describe("a guess", () => {
  test.each(CUES.map((cue) => [cue.example, cue] as const))("is made by the cue of its example: %s", (example, cue) => {
    const [guess = ""] = guesses(example, sampleBoard);
    expect(guess).not.toBe("");
    const [id = ""] = /T-\d+/.exec(guess) ?? [];
    expect(cue.offers({ ids: id, text: example, board: sampleBoard })).toBe(guess);
    expect(read(guess).obstacles).toEqual([]);
  });

  test.each([
    ["the spreadsheet import has to go to Done", ["Move T-27 to Done"]],
    ["dark mode and the flicker went out to review", ["Move T-2 and T-19 to Review", "Move T-2 and T-19 to Done"]],
    ["I told you already: the sign-up form goes BEFORE rate limits", ["Move T-36 before T-23"]],
    ["somebody must call the printer", ["Add a card 'Call the printer'"]],
  ])("follows the words: %s", (text, offered) => expect(guesses(text, sampleBoard)).toEqual(offered));

  test.each([
    "is dark mode live?",
    "don't ship the csv export",
    "dark mode is not finished",
    "nothing of this makes sense",
    "the weather is fine",
  ])("is not made of a question, of what should not be, or of nothing: %s", (text) =>
    expect(guesses(text, sampleBoard)).toEqual([]),
  );
});

test.each([
  [
    "well, dark mode at long last shipped for everybody",
    "Do you mean: move 'Dark mode for the settings page' (T-2) to Done?",
  ],
  ["add a card called ''", "A title has at least one letter. What should it be called?"],
  ["frobnicate everything in Review but not the rate limits", "I did not understand"],
])("it asks back: %s", (request, says) => {
  const { obstacles, replies } = read(request);
  expect(obstacles.join()).toContain(says);
  expect(replies.flatMap((reply) => read(reply).obstacles)).toEqual([]);
});

test("what is left out is not forgotten by an offer", () => {
  const all: Intent = { kind: "move", cards: [{ by: "all" }], column: "Done" };
  const offered = (text: string) => repliesToUnknown([[all], [{ kind: "unknown", text }]], sampleBoard);
  expect(offered("frobnicate")).toContain("Move all cards to Done");
  expect(offered("but not the csv one")).not.toContain("Move all cards to Done");
});
