// What the offline model says: about any topic, in answer to the other side, and never the same
// again.

import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { readFacts } from "../../src/graph/fact-check.ts";
import { factPrompt, turnPrompt } from "../../src/graph/prompts.ts";
import { OfflineModel } from "../../src/offline-model/offline-model.ts";
import { subjectOf } from "../../src/offline-model/subject.ts";

const model = new OfflineModel({ delayMs: 0 });

const topics = [
  "Should we move to a four-day week?",
  "nuclear power",
  "Tabs or spaces",
  "Is a hot dog a sandwich?",
  "Remote work is better than office work",
  "Why do we sleep?",
  "x",
  "$& and $1",
  '`${topic}` "quotes" “curly”',
  "Ein Thema auf Deutsch",
  "日本語",
  "<img src=x onerror=alert(1)>",
  "word ".repeat(60).trim(),
];

test.each(topics)(
  "%s: both sides speak, whole sentences, and the skeptic answers the optimist's point",
  async (topic) => {
    const situation = { topic, round: 1, maxRounds: 3, messages: [], facts: [] };
    const optimist = (await model.invoke(turnPrompt("optimist", situation))).text;
    const said = new AIMessage({ content: optimist, name: "optimist" });
    const skeptic = (await model.invoke(turnPrompt("skeptic", { ...situation, messages: [said] }))).text;
    for (const text of [optimist, skeptic]) {
      expect(text).not.toMatch(/undefined|\{point\}|null| {2}|\.\./);
      expect(text.split(" ").length).toBeGreaterThan(15);
    }
    const [, quote = "?"] = /“([^“”]{10,}?)(?: …)?”/.exec(skeptic) ?? [];
    expect(optimist).toContain(quote);
  },
);

test.each([
  ["Should we move to a four-day week?", "we should move to a four-day week"],
  ["Should public transport be free?", "public transport should be free"],
  ["Tabs vs spaces", "we should choose tabs"],
  ["Nuclear power", "we should say yes to nuclear power"],
  ["NASA", "we should say yes to NASA"],
  ["Is it art?", "the answer is yes"],
])("%s -> %s", (topic, claim) => {
  expect(subjectOf(topic).claim).toBe(claim);
});

test.each([
  ["thanks!", "You are welcome."],
  ["hello there", "Hello."],
  ["who are you?", "offline model"],
  ["undo that", "what was said stays said"],
  ["what can you do?", "say what you think of the topic"],
  ["why did you say that? no, why did you do that", undefined],
  ["what happened since then?", "all that was said is above"],
  ["Das ist doch alles nicht wahr", "English only"],
  ["Do not build any more of them", undefined],
  ["It costs too much", undefined],
])("a remark from the audience: %s", async (remark, answer) => {
  const messages = [new HumanMessage({ content: remark, name: "person" })];
  const { text } = await model.invoke(
    turnPrompt("optimist", { topic: "Zoos", round: 1, maxRounds: 3, messages, facts: [] }),
  );
  const [, said = ""] = /^To the comment from the audience, “.*?”: (.*)$/.exec(text) ?? [];
  expect(said).not.toBe("");
  if (answer === undefined)
    expect(said).not.toMatch(/welcome|Hello|English only|offline|is above|stays said|All right/);
  else expect(said).toContain(answer);
});

test("it streams word by word and counts its tokens", async () => {
  const chunks = [];
  for await (const chunk of await model.stream(
    turnPrompt("optimist", { topic: "Zoos", round: 1, maxRounds: 1, messages: [], facts: [] }),
  ))
    chunks.push(chunk);
  const words = chunks.filter(({ text }) => text !== "").length;
  expect(words).toBeGreaterThan(15);
  const whole = chunks.reduce((sum, chunk) => sum.concat(chunk));
  expect(whole.usage_metadata).toMatchObject({ output_tokens: words });
});

describe("the fact check", () => {
  const turns = [
    {
      turn: "1-optimist",
      text: "This always works. Some like it. About 70 percent agree. It will rain. I say “never” to that.",
    },
  ];

  test("labels what says too much, what needs a source, what is modest, and no quotation", async () => {
    const facts = readFacts(await model.invoke(factPrompt("Zoos", turns)), turns);
    expect(facts.map(({ quote, label }) => [label, quote])).toEqual([
      ["overstated", "This always works."],
      ["unsourced", "About 70 percent agree."],
    ]);
  });

  test.each([
    [
      "words around it",
      'Here: ```json\n[{"turn":"1-optimist","quote":"Some like it.","label":"plausible","note":"ok"}]\n```',
      1,
    ],
    ["a quote that no one said", '[{"turn":"1-optimist","quote":"Invented.","label":"wrong","note":""}]', 0],
    ["a turn that is not there", '[{"turn":"9-optimist","quote":"Some like it.","label":"wrong","note":""}]', 0],
    ["an unknown label", '[{"turn":"1-optimist","quote":"Some like it.","label":"nice","note":""}]', 0],
    ["no list", "I cannot help with that.", 0],
    ["half a list", '[{"turn":', 0],
    ["nothing", "", 0],
  ])("of a model's answer only what fits is used: %s", (_, answer, count) => {
    expect(readFacts(new HumanMessage(answer), turns)).toHaveLength(count);
  });
});
