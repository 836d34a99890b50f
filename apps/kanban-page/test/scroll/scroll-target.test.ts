import { type Board, board, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { IDLE_BEFORE_SCROLL_MS, mayScroll, scrollDistance, scrollTargetOf } from "../../src/scroll/scroll-target.ts";

const ada = { kind: "user", id: "ada" };
const agent = { kind: "agent", id: "kanban" };

function targetAfter(operation: { readonly type: string }, actor = agent) {
  const next = board.transition(sampleBoard, operation, { actor: agent });
  if (!next.accepted) throw new Error(next.rejection.message);
  const state: Board | null = next.state;
  return scrollTargetOf({ actor, operation: next.operation, patches: next.patches }, state, ada);
}

describe("where to look", () => {
  it("is where the card went", () =>
    expect(targetAfter(board.op.move({ cardId: "T-1", toColumn: "done" }))).toMatchObject({
      columnId: "done",
      card: { cardId: "T-1" },
    }));
  it("is where the new card is", () =>
    expect(targetAfter(board.op.addCard({ columnId: "review", title: "New", priority: 2 }))).toMatchObject({
      columnId: "review",
      card: {},
    }));
  it("is the column that was added, renamed or moved", () => {
    expect(targetAfter(board.op.addColumn({ title: "Later" }))).toEqual({ columnId: expect.any(String) });
    expect(targetAfter(board.op.renameColumn({ columnId: "done", title: "Shipped" }))).toEqual({ columnId: "done" });
  });
  it("is where another person's edit was, too", () =>
    expect(targetAfter(board.op.editCard({ cardId: "T-1", priority: 1 }), { kind: "user", id: "grace" })).toMatchObject(
      {
        columnId: "backlog",
      },
    ));
  it("is nowhere for one's own edits", () =>
    expect(targetAfter(board.op.editCard({ cardId: "T-1", priority: 1 }), ada)).toBeUndefined());
  it("is nowhere when the whole board is another one", () =>
    expect(
      targetAfter({ type: "$replace", value: { columns: sampleBoard?.columns.toReversed() } } as { type: string }),
    ).toBeUndefined());
  it("is nowhere for what changes nothing", () =>
    expect(
      scrollTargetOf({ actor: agent, operation: { type: "$propose" }, patches: [] }, sampleBoard, ada),
    ).toBeUndefined());
});

describe("a hand", () => {
  it("keeps the board still while it is busy, and until it has rested", () => {
    expect(mayScroll({ busy: false, lastInput: -Infinity }, 0)).toBe(true);
    expect(mayScroll({ busy: true, lastInput: -Infinity }, 0)).toBe(false);
    expect(mayScroll({ busy: false, lastInput: 1_000 }, 1_000 + IDLE_BEFORE_SCROLL_MS - 1)).toBe(false);
    expect(mayScroll({ busy: false, lastInput: 1_000 }, 1_000 + IDLE_BEFORE_SCROLL_MS)).toBe(true);
  });
});

describe("the distance", () => {
  const container = { start: 100, end: 500 };
  it.each([
    ["in sight", { start: 120, end: 300 }, 0],
    ["behind the end", { start: 450, end: 600 }, 110],
    ["before the beginning", { start: 20, end: 200 }, -90],
    ["longer than the container: its beginning", { start: 300, end: 900 }, 190],
    ["longer, and shown from its beginning", { start: 110, end: 900 }, 0],
  ])("%s", (_, target, expected) => expect(scrollDistance(container, target, 10)).toBe(expected));
});
