// Requests as tool calls on the sample board.

import { board, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, test } from "vitest";
import { boardAbout } from "../../src/offline-model/content.ts";
import { type Call, planStep } from "../../src/offline-model/plan.ts";
import { parseRequest } from "../../src/offline-model/reading/parse.ts";

const plan = (request: string, state = sampleBoard) => planStep(parseRequest(request)[0] ?? [], state);
const move = (args: Call["args"]): Call => ({ name: "move", args });

describe("planStep", () => {
  test.each<[string, readonly Call[]]>([
    ["move t-42 to in progress", [move({ cardId: "T-42", fromColumn: "backlog", toColumn: "in-progress" })]],
    ["move Dark mode to the bottom of Done", [move({ cardId: "T-2", fromColumn: "backlog", toColumn: "done" })]],
    ["move T-3 to the top", [move({ cardId: "T-3", fromColumn: "backlog", toColumn: "backlog", position: 0 })]],
    [
      "move T-3 to Review before T-36",
      [move({ cardId: "T-3", fromColumn: "backlog", toColumn: "review", position: 1 })],
    ],
    ["move the last card of Done to Review", [move({ cardId: "T-19", fromColumn: "done", toColumn: "review" })]],
    [
      "move the first two cards in Backlog to the top of Done",
      [
        move({ cardId: "T-42", fromColumn: "backlog", toColumn: "done", position: 0 }),
        move({ cardId: "T-1", fromColumn: "backlog", toColumn: "done", position: 1 }),
      ],
    ],
    [
      "move every card with priority 1 to Done",
      [
        move({ cardId: "T-42", fromColumn: "backlog", toColumn: "done" }),
        move({ cardId: "T-15", fromColumn: "in-progress", toColumn: "done" }),
      ],
    ],
    ["move T-99 to Done", [move({ cardId: "T-99", toColumn: "done" })]],
    ["move T-42 to Nowhere", [move({ cardId: "T-42", fromColumn: "backlog", toColumn: "Nowhere" })]],
    ["move T-3 from Review to Done", [move({ cardId: "T-3", fromColumn: "review", toColumn: "done" })]],
    ["move the Done column to the left", [move({ fromColumn: "done", toColumn: "backlog", position: 0 })]],
    ["move the Backlog column after Review", [move({ fromColumn: "backlog", toColumn: "review", position: 2 })]],
    [
      "remove T-15 and remove T-15",
      [
        { name: "remove", args: { cardId: "T-15", fromColumn: "in-progress" } },
        { name: "remove", args: { cardId: "T-15", fromColumn: "in-progress" } },
      ],
    ],
    [
      "clear the board",
      ["backlog", "in-progress", "review", "done"].map((fromColumn) => ({ name: "remove", args: { fromColumn } })),
    ],
    ["add a card Call Ada", [{ name: "addCard", args: { columnId: "backlog", title: "Call Ada" } }]],
    [
      "add a card 'x' to the top of Done with priority 1",
      [{ name: "addCard", args: { columnId: "done", title: "x", priority: 1, position: 0 } }],
    ],
    ["rename Review to QA", [{ name: "renameColumn", args: { columnId: "review", title: "QA" } }]],
    ["rename Export as CSV to Exports", [{ name: "editCard", args: { cardId: "T-11", title: "Exports" } }]],
    [
      "set priority of T-1, T-2 to 4",
      [
        { name: "editCard", args: { cardId: "T-1", priority: 4 } },
        { name: "editCard", args: { cardId: "T-2", priority: 4 } },
      ],
    ],
    ["add a column Blocked before Review", [{ name: "addColumn", args: { title: "Blocked", position: 2 } }]],
    ["delete the Done column", [{ name: "removeColumn", args: { columnId: "done" } }]],
    ["what changed?", [{ name: "recentChanges", args: {} }]],
    ["what changed since an hour ago?", [{ name: "recentChanges", args: { minutes: 60 } }]],
    ["what did ada do in the last 10 minutes?", [{ name: "recentChanges", args: { by: "ada", minutes: 10 } }]],
  ])("%s", (request, calls) => expect(plan(request)).toEqual({ calls, notes: [], unclear: [] }));

  test.each([
    ["remove all cards with priority 4 in Review", "There is no card in Review with priority 4 to remove."],
    ["move all cards in Done to Done", "There is no card in Done to move."],
  ])("%s: nothing to call, and why", (request, note) =>
    expect(plan(request)).toEqual({ calls: [], notes: [note], unclear: [] }),
  );

  test.each([
    [
      "move everything in Nowhere to Done",
      "There is no column 'Nowhere'. Columns: Backlog, In Progress, Review, Done.",
    ],
    ["remove all old cards", "I do not know which cards 'old' are."],
    ["remove T-15 and move all cards except the last ones to Done", "I do not know which cards 'last' are."],
    ["move T-3 to Review before T-1", "There is no card 'T-1' in Review to put it beside."],
    ["rename search to Find", "Do you mean 'Search over all boards' (T-8)?"],
  ])("%s: nothing is called of a step that is not clear", (request, why) =>
    expect(plan(request)).toMatchObject({ calls: [], notes: [], unclear: [why] }),
  );

  test("more changes than a person can read are made in parts", () => {
    const cards = Array.from({ length: 100 }, (_, i) => ({ cardId: `T-${i}`, title: "x", priority: 1 }));
    const state = {
      columns: [
        { columnId: "a", title: "A", cardCount: 100, cards },
        { columnId: "b", title: "B", cardCount: 0, cards: [] },
      ],
    };
    const { calls, notes } = plan("move everything in A to B", state);
    expect(calls).toHaveLength(40);
    expect(notes).toEqual(["These are 100 changes; I make 40 at a time. Ask again for the rest."]);
  });
});

test.each(["launching a website", "my wedding", "a trip to Japan", "world peace", "x".repeat(500), ""])(
  "a board about %j is a board that fits",
  (topic) => {
    const result = board.transition(null, boardAbout(topic));
    expect(result).toMatchObject({ accepted: true });
    expect(result.state?.columns.map((column) => column.cardCount)).toEqual([11, 2, 0, 0]);
    expect(result.state?.columns.flatMap((column) => column.cards.map((card) => card.cardId))).toContain("T-42");
  },
);
