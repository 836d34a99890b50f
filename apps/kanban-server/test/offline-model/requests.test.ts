// Plain requests of somebody who has only seen the board, to the served demo over HTTP: none leads
// to a wrong action. What is not understood as a whole changes nothing, and what would do much harm
// is proposed. This file is long because it is a list.

import { sampleBoard } from "@opstate/kanban-domain";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isLong } from "../../../../tools/runs.ts";
import { type DemoServer, demoServer } from "../support/demo-server.ts";
import { short } from "../support/board-run.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** All of a list in a long run, else every eighth: "asked" judges as many without a server. */
const some = <Item>(list: readonly Item[]): readonly Item[] => list.filter((_, index) => isLong() || index % 8 === 0);

let demo: DemoServer;
beforeAll(async () => {
  demo = await demoServer();
});
afterAll(() => demo.close());

const [backlog, progress, review, done] = [
  "backlog: T-42 T-1 T-2 T-3 T-38",
  "in-progress: T-15 T-27 T-31",
  "review: T-23 T-36",
  "done: T-8 T-11 T-19",
];
const asItWas = [backlog, progress, review, done];

test("the board of these tests is the sample", () => expect(short(sampleBoard)).toEqual(asItWas));

describe("what is not understood as a whole changes nothing and proposes nothing, and the answer is a question", () => {
  test.each(
    some([
      "archive all done cards",
      "archive T-8",
      "archive everything older than a month",
      "remove all old cards",
      "delete all cards except the important ones",
      "delete everything but Done",
      "remove every card that nobody works on",
      "remove all cards with priority 3 or 4",
      "delete all cards with priority below 3",
      "remove all cards without priority 1",
      "delete all high priority cards",
      "remove any card in Done",
      "remove some cards",
      "remove half of the cards",
      "remove most of the cards in Backlog",
      "remove all cards and columns",
      "remove all columns",
      "delete all and start over",
      "remove everything else",
      "remove all cards and keep T-1",
      "clear Done. But keep T-8.",
      "clear everything that is old",
      "clean up the board",
      "tidy up Done",
      "move any card to Done",
      "move every card in Review",
      "send everything in Review",
      "add a card Foo to Done and Bar to Review",
      "move everything old to Done",
      "move it to Done",
      "move T-1 up",
      "move T-1 to Done before Friday",
      "take T-1",
      "drop T-11 in Done",
      "remove it",
      "remove this card",
      "remove the last card",
      "if T-15 is done, remove it",
      "delete all cards unless they are in Done",
      "close all done tasks",
      "mark all blocked cards as done",
      "mark the important ones as done",
      "rename Done column",
      "call Done off",
      "rename T-1 and T-2 to X",
      "add a card Foo and a card Bar",
      "build me a better board",
      "undo that and remove T-1",
      "add a card to Done",
      "add a card",
      "add a new column",
      "add a column A and a column B",
      "add column A with cards B and C",
      "prepare the board for the new sprint",
      "set up the board for our launch",
      "add T-1 to Done",
      "add everything to Done",
      "add a comment to T-3",
      "add a copy of T-1 to Done",
      "add a card Write docs and delete all others",
      "make a list of all cards",
      "create a copy of the board",
      "create a new board",
      "organise the backlog",
      "organize the cards by priority",
      "set all important cards to priority 1",
      "assign T-1 to Ada",
      "merge T-1 and T-2",
      "undo my last change",
      "undo T-3",
      "clear Done, then undo that",
      "sing a song, then remove T-15",
      "rmove al doen crads",
      "delte T-15",
      "mvoe all done crads to backlog",
      "alle erledigten Karten löschen",
      "remove",
      "clear",
      "everything must go",
    ]),
  )("%s", async (request) => {
    const chat = await demo.chat();
    const answer = await chat.ask(request);
    expect(await chat.cards()).toEqual(asItWas);
    expect(await chat.board()).toEqual(sampleBoard);
    expect(await chat.proposals()).toEqual([]);
    expect(answer).toMatch(/\?|English/);
    const replies = chat.replies();
    expect(replies.length).toBeGreaterThanOrEqual(2);
    expect(replies.length).toBeLessThanOrEqual(3);
  });
});

describe("what names something that is not there changes nothing and proposes nothing, and the answer says what is missing", () => {
  test.each(
    some([
      ["remove all cards about hosting", "There is no card with 'hosting' in its title to remove."],
      ["move all cards about hosting to Done", "There is no card with 'hosting' in its title to move."],
      ["clear Donee", /^There is no column 'Donee'\. Columns: Backlog, .* I did nothing\./],
      ["clear Done except T-8 and the others", /^I do not know which cards 'the others' are\./],
      ["clear Done and remove T-1 or T-2", /^There is no card 'T-1 or T-2'\./],
      ["clear Done and move T-1 to Review or Done", /^There is no column 'Review or Done'\./],
      ["clear Done, move Review to Done", /^'Review' is a column\. Do you mean everything in Review\?/],
      ["move all my cards in Review assigned to Ada to Done", /^There is no column 'Ada to Done'/],
      ["remove search", /^Do you mean 'Search over all boards' \(T-8\)\? I did nothing yet\./],
      ["move people to Done", /^Do you mean .* \(T-42\)\?/],
      ["clear Done except search", /^Do you mean .* \(T-8\)\?/],
      ["move T-1 to Done tomorrow", /^There is no column 'Done tomorrow'\./],
      ["move T-1 to Undone", /^'Write the launch announcement' \(T-1\) was not moved: there is no column 'Undone'/],
      ["move T-1 to gone", /^'Write the launch announcement' \(T-1\) was not moved: there is no column 'gone'/],
      ["move T-1 to one", /^'Write the launch announcement' \(T-1\) was not moved: there is no column 'one'/],
      ["mark T-3 as not done", /^There is no column 'not done'\./],
      ["mark done cards as archived", /^There is no column 'archived'/],
      ["remove T-1 to T-5", /^There is no card 'T-1 to T-5'\./],
      ["remove T-15 if it is old", /^There is no card 'T-15 if it is old'\./],
      ["remove T-99", /^Not removed: there is no card 'T-99'/],
      ["delete the Done column", "Done was not removed: 'Done' holds 3 cards. Move or remove them first."],
      ["remove Done", /^'Done' is a column\./],
    ]),
  )("%s", async (request, reply) => {
    const chat = await demo.chat();
    const answer = await chat.ask(request);
    expect(await chat.cards()).toEqual(asItWas);
    expect(await chat.board()).toEqual(sampleBoard);
    expect(await chat.proposals()).toEqual([]);
    expect(answer).toMatch(reply);
  });
});

describe("what is understood does what it says and no more", () => {
  test.each<[string, readonly string[]]>(
    some<[string, readonly string[]]>([
      ["remove all completed tasks", [backlog, progress, review, "done:"]],
      ["please remove all done cards", [backlog, progress, review, "done:"]],
      ["delete the cards that are done", [backlog, progress, review, "done:"]],
      ["delete done cards", [backlog, progress, review, "done:"]],
      ["clear all done cards", [backlog, progress, review, "done:"]],
      ["remove everything in Done", [backlog, progress, review, "done:"]],
      ["remove all cards in Done except T-8", [backlog, progress, review, "done: T-8"]],
      ["remove all done cards but not T-8 and T-19", [backlog, progress, review, "done: T-8 T-19"]],
      ["clear Done except T-8", [backlog, progress, review, "done: T-8"]],
      [
        "move everything from Backlog to In Progress except T-42",
        ["backlog: T-42", "in-progress: T-15 T-27 T-31 T-1 T-2 T-3 T-38", review, done],
      ],
      ["remove all cards about offline", [backlog, "in-progress: T-27 T-31", review, done]],
      ["delete all cards in Backlog about the settings page", ["backlog: T-42 T-1 T-3 T-38", progress, review, done]],
      [
        "move all done cards back to backlog",
        ["backlog: T-42 T-1 T-2 T-3 T-38 T-8 T-11 T-19", progress, review, "done:"],
      ],
      ["move all in progress cards to Review", [backlog, "in-progress:", "review: T-23 T-36 T-15 T-27 T-31", done]],
      ["mark everything in Review as done", [backlog, progress, "review:", "done: T-8 T-11 T-19 T-23 T-36"]],
      ["mark all cards in Review done", [backlog, progress, "review:", "done: T-8 T-11 T-19 T-23 T-36"]],
      ["mark T-3 in progress", ["backlog: T-42 T-1 T-2 T-38", "in-progress: T-15 T-27 T-31 T-3", review, done]],
      ["move Dark mode to Reviw", ["backlog: T-42 T-1 T-3 T-38", progress, "review: T-23 T-36 T-2", done]],
      [
        "Could you please move T-42 to In Progress? Thanks!",
        ["backlog: T-1 T-2 T-3 T-38", "in-progress: T-15 T-27 T-31 T-42", review, done],
      ],
      ["remove the card 'Export as CSV'", [backlog, progress, review, "done: T-8 T-19"]],
      ["delete the dark mode card", ["backlog: T-42 T-1 T-3 T-38", progress, review, done]],
      ["Hey, delete all finished tasks, thanks!", [backlog, progress, review, "done:"]],
      ["throw T-15 away", [backlog, "in-progress: T-27 T-31", review, done]],
      [
        "remove T-15 and move T-3 to Done",
        ["backlog: T-42 T-1 T-2 T-38", "in-progress: T-27 T-31", review, "done: T-8 T-11 T-19 T-3"],
      ],
      ["add milk to Backlog", ["backlog: T-42 T-1 T-2 T-3 T-38 'milk'", progress, review, done]],
      ["add cards Foo and Bar to Done", [backlog, progress, review, "done: T-8 T-11 T-19 'Foo' 'Bar'"]],
      ["add a column Blocked", [...asItWas, "blocked:"]],
      [
        "move all urgent cards to Done",
        ["backlog: T-1 T-2 T-3 T-38", "in-progress: T-27 T-31", review, "done: T-8 T-11 T-19 T-42 T-15"],
      ],
      ["swap T-1 and T-2", ["backlog: T-42 T-2 T-1 T-3 T-38", progress, review, done]],
      ["sort Backlog by priority", asItWas],
      ["do not remove T-15", asItWas],
      ["don't clear Done", asItWas],
      ["never delete anything", asItWas],
      ["do not undo that", asItWas],
      ["put it all back", asItWas],
      ["what changed?", asItWas],
      ["help", asItWas],
      ["thanks", asItWas],
    ]),
  )("%s", async (request, cards) => {
    const chat = await demo.chat();
    await chat.ask(request);
    expect(await chat.cards()).toEqual(cards);
    expect(await chat.proposals()).toEqual([]);
  });
});

describe("what would empty more than one column, or replace a board that has cards, is proposed", () => {
  test.each<[string, readonly string[]]>([
    ["I want to plan my wedding", ["$replace"]],
    ["build a board for launching a website", ["$replace"]],
    ["build a board for launching a website, then move T-42 to Done", ["$replace", "move"]],
    ["clear the board", ["remove", "remove", "remove", "remove"]],
    ["remove all cards", ["remove", "remove", "remove", "remove"]],
    ["delete everything", ["remove", "remove", "remove", "remove"]],
    ["clear the board, then add a card Foo", ["remove", "remove", "remove", "remove", "addCard"]],
    ["delete all cards except T-1", Array.from({ length: 12 }, () => "remove")],
    ["clear Done and clear Review", ["remove", "remove"]],
    ["remove everything in Done and Review", ["remove", "remove"]],
    ["delete all cards except those in Done", Array.from({ length: 10 }, () => "remove")],
    ["remove all cards that are not done", Array.from({ length: 10 }, () => "remove")],
    ["move every card to Done", Array.from({ length: 10 }, () => "move")],
    ["move every card in Backlog and every card in Review to Done", Array.from({ length: 7 }, () => "move")],
    ["mark everything done", Array.from({ length: 10 }, () => "move")],
    ["remove T-23, T-36, T-15, T-27 and T-31", Array.from({ length: 5 }, () => "remove")],
  ])("%s", async (request, types) => {
    const chat = await demo.chat();
    expect(await chat.ask(request)).toContain("Nothing has changed yet");
    expect(await chat.board()).toEqual(sampleBoard);
    expect((await chat.proposals()).map(({ operation }) => operation.type)).toEqual(types);
  });

  test.each<[string, readonly string[]]>([
    ["clear Done, then clear Review, then remove T-1", ["remove", "remove", "remove"]],
    ["empty backlog, then empty done", ["remove", "remove"]],
    ["remove all cards in backlog. remove all cards in review.", ["remove", "remove"]],
    ["remove T-23, then remove T-36, then clear Done", ["remove", "remove", "remove"]],
    ["move everything in Review to Done, then clear Backlog", ["move", "move", "remove"]],
    ["add a card Foo to Review, then clear Done, then clear Review", ["addCard", "remove", "remove"]],
    ["empty the backlog and after that the done column", ["remove", "remove"]],
  ])("so are steps that do so one after another: %s", async (request, types) => {
    const chat = await demo.chat();
    expect(await chat.ask(request)).toContain("Nothing has changed yet");
    expect(await chat.cards()).toEqual(asItWas);
    expect((await chat.proposals()).map(({ operation }) => operation.type)).toEqual(types);
  });

  test("a board is built at once where there are no cards", async () => {
    const none = await demo.chat(null);
    expect(await none.ask("build a board for launching a website")).toBe("Built a new board: 4 columns, 13 cards.");
    const empty = await demo.chat({ columns: [{ columnId: "backlog", title: "Backlog", cardCount: 0, cards: [] }] });
    expect(await empty.ask("I want to plan my wedding")).toBe("Built a new board: 4 columns, 13 cards.");
  });

  test.each<[string, readonly string[]]>([
    ["clear the board", ["backlog:", "in-progress:", "review:", "done:"]],
    ["delete all cards except T-1", ["backlog: T-1", "in-progress:", "review:", "done:"]],
    [
      "move every card to Done",
      ["backlog:", "in-progress:", "review:", "done: T-8 T-11 T-19 T-42 T-1 T-2 T-3 T-38 T-15 T-27 T-31 T-23 T-36"],
    ],
  ])("what a person accepts is done: %s", async (request, cards) => {
    const chat = await demo.chat();
    await chat.ask(request);
    expect(await chat.cards()).toEqual(asItWas);
    await chat.accept("grace");
    expect(await chat.cards()).toEqual(cards);
  });

  test("of two columns, each gets its new title", async () => {
    const chat = await demo.chat();
    await chat.ask("rename Done to Finished and Review to QA");
    const board = await chat.board();
    expect(board?.columns.map(({ title }) => title)).toEqual(["Backlog", "In Progress", "QA", "Finished"]);
  });

  test("a request is measured by itself", async () => {
    const chat = await demo.chat();
    await chat.ask("clear Done");
    await chat.ask("clear Review");
    expect(await chat.cards()).toEqual([backlog, progress, "review:", "done:"]);
  });
});

describe("undo that", () => {
  test.each([
    "undo that",
    "take that back",
    "undo your last changes",
    "Oops, undo it please!",
    "revert what you did",
    "undo",
  ])("undoes the agent's last run, and keeps what others did: %s", async (request) => {
    const chat = await demo.chat();
    await chat.ask("move T-2 to Review");
    await chat.ask("move T-1 to In Progress, then remove T-15");
    await chat.edit({ type: "move", cardId: "T-3", toColumn: "done" }, "grace");
    await chat.ask("what changed?");
    const answer = await chat.ask(request);
    if (request === "undo")
      expect(answer).toBe(
        "I took back my last run: Move 'Write the launch announcement' (T-1): Backlog -> In Progress; Remove 'Keep edits made while offline' (T-15) from In Progress.",
      );
    expect(await chat.cards()).toEqual([
      "backlog: T-42 T-1 T-38",
      "in-progress: T-15 T-27 T-31",
      "review: T-23 T-36 T-2",
      "done: T-8 T-11 T-19 T-3",
    ]);
  });

  test("withdraws what it proposed", async () => {
    const chat = await demo.chat();
    await chat.ask("I want to plan my wedding");
    expect(await chat.ask("undo that")).toMatch(/^I took back my last run: Propose: Replace the board/);
    expect(await chat.proposals()).toEqual([]);
    expect(await chat.cards()).toEqual(asItWas);
  });

  test("once, and says so", async () => {
    const chat = await demo.chat();
    await chat.ask("move T-1 to Done");
    await chat.ask("move T-2 to Done");
    await chat.ask("undo that");
    expect(await chat.ask("undo that")).toMatch(/^I took nothing back: my last run is taken back already\./);
    expect(await chat.cards()).toEqual(["backlog: T-42 T-2 T-3 T-38", progress, review, "done: T-8 T-11 T-19 T-1"]);
  });

  test("says so when there is nothing to undo, and leaves others' conversations alone", async () => {
    const chat = await demo.chat();
    await chat.edit({ type: "move", cardId: "T-3", toColumn: "done" });
    expect(await chat.ask("undo that")).toBe(
      "I took nothing back: I changed nothing in this conversation that could be taken back.",
    );
    await chat.ask("move T-1 to Done");
    const before = await chat.cards();
    expect(await chat.other("grace").ask("undo that")).toMatch(
      /^I took nothing back: I changed nothing in this conversation/,
    );
    expect(await chat.cards()).toEqual(before);
  });

  test("finds what it added by its title, and by its id", async () => {
    const chat = await demo.chat();
    await chat.ask("add a card 'Write docs' to Backlog");
    await chat.ask("move 'Write docs' to Review");
    expect((await chat.cards())[2]).toBe("review: T-23 T-36 'Write docs'");
    const { cardId } = (await chat.board())!.columns[2]!.cards.at(-1)!;
    expect(await chat.ask(`move ${cardId} to Done and set priority of ${cardId} to 1`)).toContain(cardId);
    expect((await chat.cards())[3]).toBe("done: T-8 T-11 T-19 'Write docs'");
    await chat.ask(`remove ${cardId.toUpperCase()}`);
    expect((await chat.cards())[3]).toBe("done: T-8 T-11 T-19");
  });

  test("says what is in the way", async () => {
    const chat = await demo.chat();
    await chat.ask("add a card 'Write docs' to Backlog");
    const { cardId } = (await chat.board())!.columns[0]!.cards.at(-1)!;
    await chat.edit({ type: "move", cardId, toColumn: "done" }, "grace");
    const before = await chat.cards();
    expect(await chat.ask("undo that")).toContain(
      `I took nothing back: without my run, what was done later would be refused or do something else (grace: Move 'Write docs' (${cardId})`,
    );
    expect(await chat.cards()).toEqual(before);
  });

  test("what a person accepted, a person undoes", async () => {
    const chat = await demo.chat();
    await chat.ask("clear the board");
    await chat.accept("grace");
    expect(await chat.ask("undo that")).toBe(
      "I took nothing back: grace accepted it, so a person takes it back, under Timeline.",
    );
    expect(await chat.cards()).toEqual(["backlog:", "in-progress:", "review:", "done:"]);
  });

  test("changes nothing at once where 'Ask me first' is on", async () => {
    const chat = await demo.chat();
    await chat.ask("move T-1 to Done");
    const before = await chat.cards();
    expect(await chat.ask("undo that", { askFirst: true })).toMatch(/^I took nothing back: I have to ask first/);
    expect(await chat.cards()).toEqual(before);
  });
});
