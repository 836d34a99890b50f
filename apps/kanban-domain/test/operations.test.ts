// What each operation does to the sample board, and how it says no.

import { checkDefinition } from "@opstate/core/testing";
import { describe, expect, test } from "vitest";
import { board, type Board, type BoardOperation, sampleBoard } from "../src/index.ts";

/** A board in short: "backlog: T-42 T-1 | done: T-8". A card with an id of its own is "T-new". */
const short = (state: Board | null) =>
  (state?.columns ?? []).map((column) =>
    `${column.columnId}(${column.cardCount}): ${column.cards.map(({ cardId }) => cardId.replace(MADE, "T-new")).join(" ")}`.trim(),
  );
const MADE = /^T-[0-9a-hjkmnp-tv-z]{10}$/;

const start = short(sampleBoard);
const [backlog, inProgress, review, done] = start;
const { op } = board;

describe("accepted", () => {
  test.each<[string, BoardOperation, readonly (string | undefined)[]]>([
    [
      "a card goes to the end of a column",
      op.move({ cardId: "T-42", toColumn: "review" }),
      ["backlog(4): T-1 T-2 T-3 T-38", inProgress, "review(3): T-23 T-36 T-42", done],
    ],
    [
      "or to a position",
      op.move({ cardId: "T-42", fromColumn: "backlog", toColumn: "review", position: 0 }),
      ["backlog(4): T-1 T-2 T-3 T-38", inProgress, "review(3): T-42 T-23 T-36", done],
    ],
    [
      "beyond the end is the end",
      op.move({ cardId: "T-42", toColumn: "review", position: 99 }),
      ["backlog(4): T-1 T-2 T-3 T-38", inProgress, "review(3): T-23 T-36 T-42", done],
    ],
    [
      "within its column",
      op.move({ cardId: "T-38", toColumn: "backlog", position: 1 }),
      ["backlog(5): T-42 T-38 T-1 T-2 T-3", inProgress, review, done],
    ],
    [
      "a column takes another's place",
      op.move({ fromColumn: "done", toColumn: "backlog" }),
      [done, backlog, inProgress, review],
    ],
    [
      "a column goes to a position",
      op.move({ fromColumn: "backlog", toColumn: "backlog", position: 2 }),
      [inProgress, review, backlog, done],
    ],
    ["a card is removed", op.remove({ cardId: "T-15" }), [backlog, "in-progress(2): T-27 T-31", review, done]],
    ["a column is cleared", op.remove({ fromColumn: "done" }), [backlog, inProgress, review, "done(0):"]],
    [
      "a card is added with an id of its own",
      op.addCard({ columnId: "review", title: "New" }),
      [backlog, inProgress, "review(3): T-23 T-36 T-new", done],
    ],
    [
      "or on top",
      op.addCard({ columnId: "review", title: "New", position: 0 }),
      [backlog, inProgress, "review(3): T-new T-23 T-36", done],
    ],
    ["a column is added", op.addColumn({ title: "On Hold!" }), [...start, "on-hold(0):"]],
    [
      "a column is added in the middle",
      op.addColumn({ title: "Blocked", position: 1 }),
      [backlog, "blocked(0):", inProgress, review, done],
    ],
  ])("%s", (_, operation, expected) => {
    const result = board.transition(sampleBoard, operation);
    expect(result).toMatchObject({ accepted: true });
    expect(short(result.state)).toEqual(expected);
  });

  test("a card's title and priority change, and a column's title", () => {
    const edited = board.reduce(sampleBoard, op.editCard({ cardId: "T-3", title: " Better ", priority: 1 }));
    expect(edited?.columns[0]?.cards[3]).toEqual({ cardId: "T-3", title: "Better", priority: 1 });
    expect(board.reduce(edited, op.renameColumn({ columnId: "review", title: "QA" }))?.columns[2]?.title).toBe("QA");
  });

  test("an empty column can go", () => {
    const cleared = board.reduce(sampleBoard, op.remove({ fromColumn: "done" }));
    expect(short(board.reduce(cleared, op.removeColumn({ columnId: "done" })))).toEqual([backlog, inProgress, review]);
  });

  test.each<[string, BoardOperation]>([
    ["moving a card to where it is", op.move({ cardId: "T-42", toColumn: "backlog", position: 0 })],
    ["moving the last card to the end", op.move({ cardId: "T-38", toColumn: "backlog" })],
    ["moving a column to where it is", op.move({ fromColumn: "done", toColumn: "done" })],
    ["editing a card to what it says", op.editCard({ cardId: "T-42", priority: 1 })],
    ["renaming a column to its name", op.renameColumn({ columnId: "done", title: "Done" })],
  ])("%s changes nothing", (_, operation) => {
    expect(board.transition(sampleBoard, operation)).toMatchObject({ accepted: true, patches: [], state: sampleBoard });
  });
});

describe("refused, with what was wrong and what exists", () => {
  test.each<[BoardOperation, string, string]>([
    [
      op.move({ cardId: "T-42", toColumn: "nowhere" }),
      "column_not_found",
      "Not moved: there is no column 'nowhere'. Columns: Backlog, In Progress, Review, Done.",
    ],
    [
      op.move({ cardId: "T-42", toColumn: "In Progress" }),
      "column_not_found",
      "Not moved: 'In Progress' is a title; the id of that column is 'in-progress'.",
    ],
    [op.move({ cardId: "T-99", toColumn: "done" }), "card_not_found", "Not moved: there is no card 'T-99'."],
    [
      op.remove({ cardId: "announcement" }),
      "card_not_found",
      "Not removed: there is no card 'announcement'. Did you mean 'Write the launch announcement' (T-1)?",
    ],
    [
      op.editCard({ cardId: "the keybord card", priority: 1 }),
      "card_not_found",
      "Not changed: there is no card 'the keybord card'. Did you mean 'Keyboard shortcuts, with a list of them' (T-3)?",
    ],
    [
      op.move({ cardId: "T-42", fromColumn: "review", toColumn: "done" }),
      "card_elsewhere",
      "Not moved: 'Let people undo an agent's whole run' (T-42) is in 'Backlog', not in 'Review'.",
    ],
    [
      op.move({ toColumn: "done" }),
      "incomplete",
      "Not moved: say which card (cardId) or which column (fromColumn) to move.",
    ],
    [
      op.remove({}),
      "incomplete",
      "Not removed: say which card (cardId) to remove or which column (fromColumn) to clear.",
    ],
    [
      op.remove({ cardId: "T-15", fromColumn: "done" }),
      "card_elsewhere",
      "Not removed: 'Keep edits made while offline' (T-15) is in 'In Progress', not in 'Done'.",
    ],
    [
      op.editCard({ cardId: "Export as CSV", priority: 1 }),
      "card_not_found",
      "Not changed: 'Export as CSV' is a title; the id of that card is 'T-11'.",
    ],
    [op.editCard({ cardId: "T-1" }), "incomplete", "Not changed: give a new title, a new priority, or both."],
    [
      op.addColumn({ title: "done" }),
      "column_exists",
      "Not added: there is already a column 'Done' with the id 'done'.",
    ],
    [
      op.renameColumn({ columnId: "review", title: "Done" }),
      "column_exists",
      "Not renamed: there is already a column 'Done' with the id 'done'.",
    ],
    [
      op.removeColumn({ columnId: "review" }),
      "column_not_empty",
      "Not removed: 'Review' holds 2 cards. Move or remove them first.",
    ],
  ])("%j", (operation, reason, message) => {
    const result = board.transition(sampleBoard, operation);
    expect(result.state).toBe(sampleBoard);
    expect(result).toMatchObject({ accepted: false, rejection: { code: "refused", reason, message } });
  });

  test("column_not_found carries the columns, for a second try", () => {
    const result = board.transition(sampleBoard, op.move({ cardId: "T-42", toColumn: "Donee" }));
    expect(result).toMatchObject({
      rejection: {
        details: {
          columnId: "Donee",
          columns: [{ columnId: "backlog", title: "Backlog" }, {}, {}, { columnId: "done", title: "Done" }],
        },
      },
    });
  });

  test("two cards with one id, in a replacement", () => {
    const card = { cardId: "A", title: "a", priority: 1 };
    const result = board.transition(sampleBoard, { columns: [{ columnId: "c", title: "C", cards: [card, card] }] });
    expect(result).toMatchObject({
      accepted: false,
      rejection: { code: "invalid_state", message: expect.stringContaining('Two cards have the id "A"') },
    });
  });
});

test("a webhook may not replace the board; everyone may use its operations", () => {
  const [actor, person] = [
    { kind: "webhook", id: "ci" },
    { kind: "user", id: "ada" },
  ];
  const empty = { type: "$replace", value: { columns: [] } } as const;
  expect(board.transition(sampleBoard, empty, { actor })).toMatchObject({
    accepted: false,
    rejection: { code: "forbidden" },
  });
  // Who restores an older version replaces the board by it.
  expect(board.transition(sampleBoard, empty, { actor: person })).toMatchObject({ accepted: true });
  expect(board.can(sampleBoard, op.remove({ cardId: "T-1" }), actor)).toBeUndefined();
});

test("what is added has the id of its submission, whatever is on the board", () => {
  const add = op.addCard({ columnId: "done", title: "Send invoices" });
  const idOn = (state: Board | null, id: string) =>
    board.reduce(state, add, { actor: { kind: "user", id: "ada" }, id })?.columns[3]?.cards.at(-1)?.cardId;
  const first = idOn(sampleBoard, "s1");
  const other = board.reduce(sampleBoard, op.addCard({ columnId: "backlog", title: "Before it" }));
  expect(idOn(other, "s1")).toBe(first);
  expect(idOn(sampleBoard, "s2")).not.toBe(first);
});

test("a column whose title gives an id that is in use gets another one", () => {
  const renamed = board.reduce(sampleBoard, op.renameColumn({ columnId: "done", title: "Shipped" }));
  const added = board.reduce(renamed, op.addColumn({ title: "Done" }));
  expect(added?.columns.at(-1)?.columnId).toMatch(/^done-[0-9a-hjkmnp-tv-z]{10}$/);
});

test("an operation in an older log keeps its meaning but for the id in its input", () => {
  const old = { type: "addCard", columnId: "done", title: "Old", priority: 2, cardId: "T-43" };
  const result = board.transition(sampleBoard, old);
  expect(result).toMatchObject({ accepted: true });
  expect(result.state?.columns[3]?.cards.at(-1)).toMatchObject({ title: "Old", cardId: expect.stringMatching(MADE) });
});

test("keeps every law of opstate", () => {
  const result = checkDefinition(board, { states: [sampleBoard] });
  expect(result.ok ? [] : result.findings.map(({ message }) => message)).toEqual([]);
});
