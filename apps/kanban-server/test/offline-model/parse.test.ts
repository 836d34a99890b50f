// What people type, and what it means.

import { sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, test } from "vitest";
import { withIds, withNames } from "../../src/offline-model/words/card-names.ts";
import type { CardQuery, Step } from "../../src/offline-model/intent.ts";
import { parseRequest } from "../../src/offline-model/reading/parse.ts";

const id = (name: string): CardQuery => ({ by: "name", name });
const cases: readonly [string, readonly Step[]][] = [
  ["move T-42 to In Progress", [[{ kind: "move", cards: [id("T-42")], column: "In Progress" }]]],
  [
    "Could you please move card T-42 to the Done column, thanks!",
    [[{ kind: "move", cards: [id("T-42")], column: "Done" }]],
  ],
  ["move T-1, T-2 and T-5 to Done.", [[{ kind: "move", cards: [id("T-1"), id("T-2"), id("T-5")], column: "Done" }]]],
  ["move 'Write docs to people' to To Do", [[{ kind: "move", cards: [id("Write docs to people")], column: "To Do" }]]],
  ["move Fix login to Review", [[{ kind: "move", cards: [id("Fix login")], column: "Review" }]]],
  [
    "move every card with priority 1 to Done",
    [[{ kind: "move", cards: [{ by: "all", priority: 1 }], column: "Done" }]],
  ],
  [
    "move all priority 2 cards in Backlog to Review",
    [[{ kind: "move", cards: [{ by: "all", priority: 2, column: "Backlog" }], column: "Review" }]],
  ],
  ["move everything in Review to Done", [[{ kind: "move", cards: [{ by: "all", column: "Review" }], column: "Done" }]]],
  [
    "move the first card in Backlog to the top of Review",
    [
      [
        {
          kind: "move",
          cards: [{ by: "place", place: "first", count: 1, column: "Backlog" }],
          column: "Review",
          position: 0,
        },
      ],
    ],
  ],
  [
    "move the last two cards of In Progress to Review",
    [[{ kind: "move", cards: [{ by: "place", place: "last", count: 2, column: "In Progress" }], column: "Review" }]],
  ],
  ["put T-3 in Review", [[{ kind: "move", cards: [id("T-3")], column: "Review" }]]],
  ["move T-3 to the top", [[{ kind: "move", cards: [id("T-3")], position: 0 }]]],
  ["move T-3 to position 2 in Done", [[{ kind: "move", cards: [id("T-3")], column: "Done", position: 1 }]]],
  ["mark T-3 as done", [[{ kind: "move", cards: [id("T-3")], column: "done" }]]],
  [
    "move T-3 from Backlog to Done",
    [[{ kind: "move", cards: [{ by: "name", name: "T-3", column: "Backlog" }], column: "Done" }]],
  ],
  ["move the Review column to the front", [[{ kind: "moveColumn", column: "Review", position: 0 }]]],
  ["move column Done before Review", [[{ kind: "moveColumn", column: "Done", position: { before: "Review" } }]]],
  [
    "add a card 'Write docs' to Backlog with priority 2",
    [[{ kind: "addCards", titles: ["Write docs"], column: "Backlog", priority: 2 }]],
  ],
  ["add a card Write docs to Backlog", [[{ kind: "addCards", titles: ["Write docs"], column: "Backlog" }]]],
  [
    'add a priority 1 card "Don\'t panic, and breathe" to the top of Review',
    [[{ kind: "addCards", titles: ["Don't panic, and breathe"], column: "Review", position: 0, priority: 1 }]],
  ],
  ["add cards 'A', 'B' and 'C' to Backlog", [[{ kind: "addCards", titles: ["A", "B", "C"], column: "Backlog" }]]],
  ["add a card to Backlog: Write docs", [[{ kind: "addCards", titles: ["Write docs"], column: "Backlog" }]]],
  ["create a task called Call Ada", [[{ kind: "addCards", titles: ["Call Ada"] }]]],
  ["rename T-3 to Better title", [[{ kind: "rename", what: "card", name: "T-3", title: "Better title" }]]],
  ["rename the Review column to QA", [[{ kind: "rename", what: "column", name: "Review", title: "QA" }]]],
  ["rename Review to QA", [[{ kind: "rename", what: "either", name: "Review", title: "QA" }]]],
  ["set priority of T-3 to 1", [[{ kind: "prioritise", cards: [id("T-3")], priority: 1 }]]],
  ["set T-3 and T-4 to priority 2", [[{ kind: "prioritise", cards: [id("T-3"), id("T-4")], priority: 2 }]]],
  [
    "give every card in Done priority 4",
    [[{ kind: "prioritise", cards: [{ by: "all", column: "Done" }], priority: 4 }]],
  ],
  ["remove T-15", [[{ kind: "remove", cards: [id("T-15")] }]]],
  [
    "delete the card 'Old idea' from Backlog",
    [[{ kind: "remove", cards: [{ by: "name", name: "Old idea", column: "Backlog" }] }]],
  ],
  ["remove all cards with priority 4", [[{ kind: "remove", cards: [{ by: "all", priority: 4 }] }]]],
  ["remove all done cards", [[{ kind: "remove", cards: [{ by: "all", state: "done" }] }]]],
  ["remove all in progress cards", [[{ kind: "remove", cards: [{ by: "all", state: "in progress" }] }]]],
  ["remove the cards that are in Done", [[{ kind: "clear", column: "Done" }]]],
  ["remove every card that is done", [[{ kind: "remove", cards: [{ by: "all", state: "done" }] }]]],
  [
    "remove all cards except T-1 and 'Buy milk'",
    [[{ kind: "remove", cards: [{ by: "all", except: ["T-1", "Buy milk"] }] }]],
  ],
  [
    "remove all p1 cards in Backlog about 'hosting', but not T-1",
    [[{ kind: "remove", cards: [{ by: "all", column: "Backlog", priority: 1, about: "hosting", except: ["T-1"] }] }]],
  ],
  ["remove all old cards", [[{ kind: "remove", cards: [{ by: "all", state: "old" }] }]]],
  ["remove any card", [[{ kind: "unknown", text: "remove any card" }]]],
  ["undo that", [[{ kind: "undo" }]]],
  ["take that back, please", [[{ kind: "undo" }]]],
  ["clear Done, then undo that", [[{ kind: "unknown", text: "clear Done, then undo that" }]]],
  ["clear Done", [[{ kind: "clear", column: "Done" }]]],
  ["remove everything from Done", [[{ kind: "clear", column: "Done" }]]],
  ["clear the board", [[{ kind: "clear" }]]],
  ["add a column Blocked", [[{ kind: "addColumns", titles: ["Blocked"] }]]],
  ["add columns Blocked, Waiting and Parked", [[{ kind: "addColumns", titles: ["Blocked", "Waiting", "Parked"] }]]],
  [
    "add a Blocked column before Review",
    [[{ kind: "addColumns", titles: ["Blocked"], position: { before: "Review" } }]],
  ],
  ["delete the Blocked column", [[{ kind: "removeColumn", column: "Blocked" }]]],
  ["build a board for launching a website", [[{ kind: "build", topic: "launching a website" }]]],
  [
    "build a board for a wedding with columns Ideas, Booked and Paid",
    [[{ kind: "build", topic: "a wedding", columns: ["Ideas", "Booked", "Paid"] }]],
  ],
  ["I want to plan my wedding", [[{ kind: "build", topic: "my wedding" }]]],
  ["plan my move to Lisbon", [[{ kind: "build", topic: "my move to Lisbon" }]]],
  [
    "move the card about invoices to Done",
    [[{ kind: "move", cards: [{ by: "name", name: "invoices", isAbout: true }], column: "Done" }]],
  ],
  ["what changed?", [[{ kind: "ask", about: "changes" }]]],
  ["what is on the board?", [[{ kind: "ask", about: "board" }]]],
  ["What's in Review?", [[{ kind: "ask", about: "column", name: "Review" }]]],
  ["where is T-42?", [[{ kind: "ask", about: "card", name: "T-42" }]]],
  ["help", [[{ kind: "ask", about: "help" }]]],
  ["sing me a song", [[{ kind: "unknown", text: "sing me a song" }]]],
  [
    "remove T-15 and move T-15 to Done",
    [
      [
        { kind: "remove", cards: [id("T-15")] },
        { kind: "move", cards: [id("T-15")], column: "Done" },
      ],
    ],
  ],
  [
    "move T-1 to In Progress, then T-2 to Review, then summarise",
    [
      [{ kind: "move", cards: [id("T-1")], column: "In Progress" }],
      [{ kind: "move", cards: [id("T-2")], column: "Review" }],
      [{ kind: "ask", about: "board" }],
    ],
  ],
  [
    "move T-1 to In Progress, T-2 to Review and T-3 to Done",
    [
      [
        { kind: "move", cards: [id("T-1")], column: "In Progress" },
        { kind: "move", cards: [id("T-2")], column: "Review" },
        { kind: "move", cards: [id("T-3")], column: "Done" },
      ],
    ],
  ],
  [
    "1. add a column Blocked\n2. move T-1 and T-2 to Blocked\n3. clear Done",
    [
      [{ kind: "addColumns", titles: ["Blocked"] }],
      [{ kind: "move", cards: [id("T-1"), id("T-2")], column: "Blocked" }],
      [{ kind: "clear", column: "Done" }],
    ],
  ],
  [
    "Remove T-15. Set priority of T-3 to 1 and T-2 to 4.",
    [
      [{ kind: "remove", cards: [id("T-15")] }],
      [
        { kind: "prioritise", cards: [id("T-3")], priority: 1 },
        { kind: "prioritise", cards: [id("T-2")], priority: 4 },
      ],
    ],
  ],
];

describe("parseRequest", () => {
  test.each(cases)("%s", (request, steps) => expect(parseRequest(request)).toEqual(steps));

  test.each([
    ["create a card 'Migrate A -> B'", "Migrate A -> B"],
    ["add a card map=>filter to Review", "map=>filter"],
  ])("an arrow in the title of a new card stays: %s", (request, title) =>
    expect(parseRequest(request)).toMatchObject([[{ kind: "addCards", titles: [title] }]]),
  );

  test("an arrow in a quoted title is no move", () =>
    expect(parseRequest("remove 'A -> B'")).toEqual([[{ kind: "remove", cards: [id("A -> B")] }]]));

  test("nothing but punctuation is no request", () => expect(parseRequest(" ... , ; ")).toEqual([]));
});

describe("a card that is named by its title and id", () => {
  const titled = "Let people undo an agent's whole run";

  test.each([
    [
      `move '${titled}' (T-42) to Done, then remove 'Search over all boards' (T-8)`,
      "move T-42 to Done, then remove T-8",
    ],
    ["add a card 'Milk' and remove 'A title of before' (T-42)", "add a card 'Milk' and remove T-42"],
    ["rename T-2 to 'Night mode (new)'", "rename T-2 to 'Night mode (new)'"],
  ])("%s", (request, read) => expect(withIds(request, sampleBoard)).toBe(read));

  test("is offered so, and read as it is offered", () => {
    const offered = withNames("Move T-42 to Done, what is 'T-99'?", sampleBoard);
    expect(offered).toBe(`Move '${titled}' (T-42) to Done, what is 'T-99'?`);
    expect(withIds(offered, sampleBoard)).toBe("Move T-42 to Done, what is 'T-99'?");
  });
});
