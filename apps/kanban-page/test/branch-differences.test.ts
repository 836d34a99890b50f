import { board, type Board } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { differencesOf } from "../src/branch-differences.ts";

const card = (cardId: string, title = cardId, priority: 1 | 2 | 3 | 4 = 2) => ({ cardId, title, priority });

function boardOf(columns: Readonly<Record<string, readonly ReturnType<typeof card>[]>>): Board {
  const value = Object.entries(columns).map(([title, cards]) => ({ columnId: title.toLowerCase(), title, cards }));
  const state = board.reduce(null, { columns: value });
  if (state === null) throw new Error("This is no board.");
  return state;
}

const now = boardOf({ Backlog: [card("T-1"), card("T-2"), card("T-3"), card("T-4")], Done: [] });

const found = (tried: Board) => {
  const { board: onBoard, branch } = differencesOf(now, tried);
  return { board: Object.fromEntries(onBoard), branch: Object.fromEntries(branch) };
};

describe("what differs between the board and a branch", () => {
  it("says on each side what the other one has", () => {
    expect(
      found(boardOf({ Backlog: [card("T-2", "Buy ink", 4), card("T-4"), card("T-9")], Done: [card("T-1")] })),
    ).toEqual({
      board: {
        "T-1": "On the branch: Done",
        "T-2": "On the branch: “Buy ink”, P4",
        "T-3": "Only on the board",
      },
      branch: {
        "T-1": "On the board: Backlog",
        "T-2": "On the board: “T-2”, P2",
        "T-9": "Only on the branch",
      },
    });
  });

  it("marks the card that was put elsewhere in its column, and none that only made room", () => {
    expect(found(boardOf({ Backlog: [card("T-2"), card("T-3"), card("T-4"), card("T-1")], Done: [] }))).toEqual({
      board: { "T-1": "On the branch: another place" },
      branch: { "T-1": "On the board: another place" },
    });
  });

  it("finds nothing on a branch that has changed nothing", () => {
    expect(found(now)).toEqual({ board: {}, branch: {} });
  });
});
