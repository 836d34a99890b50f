// The grammar: each line of a rule reads its example, no word of a clause is lost, and a misspelt
// word is no other word of the grammar.

import { expect, test } from "vitest";
import { readingsOf } from "../../src/offline-model/grammar/grammar.ts";
import { matches } from "../../src/offline-model/grammar/match.ts";
import { RULES } from "../../src/offline-model/grammar/rules.ts";
import { tokensIn } from "../../src/offline-model/grammar/tokens.ts";
import { maskQuotes } from "../../src/offline-model/reading/quotes.ts";

const MOODS = ["wish", "statement"] as const;
const kindsOf = (clause: string) => readingsOf(maskQuotes(clause).text, MOODS).map(({ kind }) => kind);

test.each(
  RULES.flatMap(({ lines, examples }) => examples.map((example, index) => [example, lines[index] ?? []] as const)),
)("a line of a rule fits its example, and reads it: %s", (example, line) => {
  expect([...matches(line, tokensIn(maskQuotes(example).text))]).not.toEqual([]);
  expect(kindsOf(example)).not.toEqual([]);
});

test.each([
  ["shove the dark mode one into Review", { kind: "move", column: "Review" }],
  ["lower the flicker one to 4", { kind: "prioritise", priority: 4 }],
  ["swap out T-3's title for Find", { kind: "rename", name: "T-3", title: "Find" }],
  ["jot down a task: call the lawyer", { kind: "addCards", titles: ["call the lawyer"] }],
  ["both cards in Review are done", { kind: "move", cards: [{ by: "all", column: "Review", count: 2 }] }],
])("%s", (clause, intent) => expect(readingsOf(clause, MOODS)).toContainEqual(expect.objectContaining(intent)));

test.each([
  ["a condition is no name", "kick off T-3 unless it rains", { kind: "move" }],
  ["a misspelt verb removes nothing", "remvoe T-3", { kind: "remove" }],
  ["another verb is no misspelt one", "merge T-3", { column: "done" }],
  ["a misspelt noun is no title", "add crad buy milk", { titles: ["crad buy milk"] }],
  ["nor is a place", "add a card Buy milk to Nowhere", { titles: ["Buy milk to Nowhere"] }],
  ["all is no statement's subject", "all done", { kind: "move" }],
  ["a name is not cut at a condition", "move T-3 if T-4 is done to Review", { kind: "move" }],
])("%s: %s", (_, clause, intent) =>
  expect(readingsOf(clause, MOODS)).not.toContainEqual(expect.objectContaining(intent)),
);
