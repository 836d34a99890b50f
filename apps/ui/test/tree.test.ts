// The state's tree: which rows there are, and which of them a change marks.

import { describe, expect, it } from "vitest";
import { changedPaths, isChanged, NO_CHANGES } from "../src/tree/changed-paths.ts";
import { preview, treeRows } from "../src/tree/tree-rows.ts";

const board = { title: "Board", columns: [{ id: "a", cards: [{ id: 1 }, { id: 2 }] }], "a/b": null };

const paths = (root: unknown, opened: [string, boolean][] = []) =>
  treeRows(root, new Map(opened)).map(({ path }) => path);

describe("the rows of a tree", () => {
  it("opens what is near the root, and leaves the rest closed", () => {
    expect(paths(board)).toEqual([
      "",
      "/title",
      "/columns",
      "/columns/0",
      "/columns/0/id",
      "/columns/0/cards",
      "/a~1b",
    ]);
  });

  it("has what the reader opened, and has not what the reader closed", () => {
    expect(paths(board, [["/columns/0/cards", true]])).toContain("/columns/0/cards/1");
    expect(paths(board, [["/columns", false]])).toEqual(["", "/title", "/columns", "/a~1b"]);
    expect(paths(board, [["", false]])).toEqual([""]);
  });

  it("says where each row is, as assistive technology wants it", () => {
    const row = treeRows(board, new Map()).find(({ path }) => path === "/columns/0/cards");
    expect(row).toMatchObject({ name: "cards", level: 4, position: 2, siblings: 2, open: false });
  });

  it("leaves a long list closed, and gives a value that contains nothing no chevron", () => {
    expect(paths({ list: Array.from({ length: 100_000 }, (_, index) => index) })).toEqual(["", "/list"]);
    expect(treeRows({ none: [], text: "" }, new Map()).map(({ open }) => open)).toEqual([true, undefined, undefined]);
  });

  it.each([
    [[], "[0 items]"],
    [[1], "[1 item]"],
    [{}, "{}"],
    [{ id: "T-1", cards: [] }, "{ id: T-1, … }"],
    ["a\nb", '"a\\nb"'],
    [null, "null"],
  ])("shows %j in a few words", (value, words) => expect(preview(value)).toBe(words));
});

describe("what a change marks", () => {
  const moved = { ...board, columns: [{ id: "a", cards: [{ id: 2 }] }] };

  it("marks what was replaced, and the closed place above it", () => {
    const changes = changedPaths(board, { ...board, columns: [{ id: "z", cards: board.columns[0]?.cards }] });
    expect(isChanged(changes, "/columns/0/id", undefined)).toBe(true);
    expect(isChanged(changes, "/columns", false)).toBe(true);
    expect(isChanged(changes, "/columns", true)).toBe(false);
    expect(isChanged(changes, "/title", undefined)).toBe(false);
  });

  it("marks the list that something was removed from", () => {
    const changes = changedPaths(board, moved);
    expect(isChanged(changes, "/columns/0/cards", true)).toBe(true);
    expect(isChanged(changes, "/columns/0/cards/0", false)).toBe(false);
  });

  it("marks nothing when an equal state comes again", () => {
    expect(changedPaths(board, board)).toBe(NO_CHANGES);
    expect(changedPaths(board, structuredClone(board)).paths.size).toBe(0);
  });
});
