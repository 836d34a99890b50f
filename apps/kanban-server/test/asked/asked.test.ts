// What people would ask of the board, judged by the outcome that is right: no wrong action in any,
// nearly all right, and the rest a question with two or three answers to click.

import { COMMON_INTENTS, commonIntent } from "@opstate/chat-model/common-intents.ts";
import { otherLanguage } from "@opstate/chat-model/other-language.ts";
import { smallTalk, TALK } from "@opstate/chat-model/talk.ts";
import { sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, test, vi } from "vitest";
import { isLong } from "../../../../tools/runs.ts";
import { withIds } from "../../src/offline-model/words/card-names.ts";
import { understood } from "../../src/offline-model/understand.ts";
import { parseRequest } from "../../src/offline-model/reading/parse.ts";
import { INTENTS } from "../../src/offline-model/reading/intents.ts";
import { choiceExamples, choose } from "../../src/offline-model/reading/choices.ts";
import { PHRASINGS, rephrased } from "../../src/offline-model/reading/phrasings.ts";
import { requests } from "./set/index.ts";
import { requests as byAStranger } from "./set/by-a-stranger.ts";
import { requests as fifteenPeople } from "./set/fifteen-people.ts";
import { requests as fresh } from "./set/fresh.ts";
import { requests as hundred } from "./set/hundred.ts";
import { requests as hundredFifty } from "./set/hundred-fifty.ts";
import { requests as nextFifteen } from "./set/next-fifteen.ts";
import { requests as paraphrases } from "./set/paraphrases.ts";
import { requests as visitors } from "./set/visitors.ts";
import { type Judged, judge } from "./judge.ts";
import type { Request } from "./outcome.ts";

vi.setConfig({ testTimeout: 300_000 });

async function judgeAll(set: readonly Request[]): Promise<readonly (Judged & Request)[]> {
  const judged = [];
  for (const request of set) judged.push({ ...request, ...(await judge(request)) });
  return judged;
}

const SHORT = [
  ["the set", requests, 0.87],
  ["other words for the same", paraphrases, 0.87],
] as const;
/** Those that the model was tuned on, one after the other. */
const LONG = [
  ["somebody else's requests", fresh, 0.87],
  ["a hundred that the grammar was tuned on", hundred, 0.95],
  ["a hundred and fifty that it was tuned on next", hundredFifty, 1],
  ["a hundred and fifty by a stranger, that it was tuned on after that", byAStranger, 0.94],
  ["what visitors type, that it was tuned on then", visitors, 0.68],
  ["what fifteen people type, that it was tuned on last", fifteenPeople, 0.83],
  ["what fifteen more people type, of which only what was wrong was mended", nextFifteen, 0.52],
] as const;

describe.each(isLong() ? [...SHORT, ...LONG] : SHORT)("%s", (_, set, least) => {
  test("no wrong action, nearly all right, the rest a question whose answers are understood", async () => {
    const judged = await judgeAll(set);
    const short = (verdict: Judged["verdict"]) =>
      judged.flatMap((each) => (each.verdict === verdict ? [`${each.say} -> ${each.answer} ${each.changes}`] : []));
    expect(short("wrong")).toEqual([]);
    expect(short("no help")).toEqual([]);
    expect(short("right").length).toBeGreaterThanOrEqual(Math.ceil(set.length * least));
    expect(
      judged.flatMap(({ say, first = [], shown }) =>
        shown.flatMap((text) => bareIn(text, [say, ...first.filter((step) => typeof step === "string")].join("\n"))),
      ),
    ).toEqual([]);
    // A card that was made before is not on the board that replies are read on here.
    const isOfSample = (reply: string) => !/'.+' \(T-\w{10}\)/.test(reply);
    const replies = new Set(judged.flatMap((each) => each.replies).filter(isOfSample));
    expect([...replies].filter((reply) => !isUnderstood(reply))).toEqual([]);
  });
});

/**
 * Where a text has a version, a pointer, or the id of a card without its title. What the person
 * wrote may be quoted.
 */
function bareIn(text: string, requests: string): readonly string[] {
  const written = requests.split("\n").flatMap((request) => [request, request.replaceAll(/['"]/g, "")]);
  const whole = written.reduce((rest, request) => rest.replaceAll(`'${request}'`, "''"), text);
  const own = whole.replaceAll(/'([^'\n]+)'/g, (quoted, inner: string) =>
    requests.toLowerCase().includes(inner.toLowerCase()) ? "''" : quoted,
  );
  const bare = own.replaceAll(/' \(T-\w+\)/g, "'").match(/\bT-\w+|\bversion \d+|\bv\d+\b|(?<!\w)\/\w+/g);
  return bare === null ? [] : [`${requests}: ${bare.join()} in ${text}`];
}

/** As the model reads it when somebody clicks on it. */
function isUnderstood(reply: string): boolean {
  const request = withIds(reply, sampleBoard);
  return understood({ request, earlier: undefined, board: sampleBoard, waits: () => false }).obstacles.length === 0;
}

describe("the tables", () => {
  test.each(INTENTS.flatMap(({ examples, read }) => examples.map((example) => [example, read] as const)))(
    "an intent reads its example: %s",
    (example, read) => {
      expect(read(example)).toBeDefined();
      expect(INTENTS.find((row) => row.read(example) !== undefined)?.read).toBe(read);
    },
  );

  test.each(PHRASINGS.map(({ example, says }) => [example, says] as const))(
    "a phrasing fits its example: %s",
    (example, says) => {
      expect(says.test(example)).toBe(true);
      expect(rephrased(example)).toBeDefined();
      expect(parseRequest(example).flat()[0]?.kind).not.toBe("unknown");
    },
  );

  test.each(TALK.flatMap(({ name, examples }) => examples.map((example) => [example, name] as const)))(
    "talk fits its example: %s",
    (example, name) => expect(smallTalk(example)?.name).toBe(name),
  );

  test.each(["kartları sil", "taşı T-3", "przenieś T-3", "flytt alla kort till Done", "¿qué hay?", "удали всё"])(
    "is another language: %s",
    (text) => expect(otherLanguage(text)).toBe(true),
  );
  test.each([
    "move Søren's card to Done",
    "buy a go-kart",
    "add 'Karten verschieben'",
    "remove the café card",
    "mvoe it",
  ])("may be English: %s", (text) => expect(otherLanguage(text)).toBe(false));

  test.each(COMMON_INTENTS.flatMap(({ name, examples }) => examples.map((example) => [example, name] as const)))(
    "an intent of both agents fits its example: %s",
    (example, name) => expect(commonIntent(example)).toBe(name),
  );

  test.each(["remove all cards that are not done", "delete cards that are no longer needed"])(
    "a request is not read as a statement: %s",
    (request) => expect(choose(request)).toBeUndefined(),
  );

  test.each(choiceExamples)("a choice fits its example: %s", (example) => expect(choose(example)).toBeDefined());

  test.each([
    ["rename T-11 to Export as Excel", "Export as Excel"],
    ["rename T-2 to the login is done", "the login is done"],
  ])("a title is left as it is: %s", (request, title) =>
    expect(parseRequest(request).flat()).toMatchObject([{ kind: "rename", title }]),
  );
});
