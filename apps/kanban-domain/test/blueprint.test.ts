// A board from titles alone, and the sample board made that way.

import { expect, test } from "vitest";
import { board, boardFrom, sampleBoard } from "../src/index.ts";

test("ids and counts are filled in, around the ids that are given", () => {
  const blueprint = {
    columns: [
      { title: "To Do", cards: [{ title: "a" }, { title: "b", cardId: "T-7", priority: 1 }] },
      { title: "to do", cards: [{ title: "c" }] },
      { title: "!!!" },
    ],
  };
  expect(boardFrom(blueprint)).toEqual({
    columns: [
      {
        columnId: "to-do",
        title: "To Do",
        cardCount: 2,
        cards: [
          { cardId: "T-8", title: "a", priority: 3 },
          { cardId: "T-7", title: "b", priority: 1 },
        ],
      },
      { columnId: "to-do-2", title: "to do", cardCount: 1, cards: [{ cardId: "T-9", title: "c", priority: 3 }] },
      { columnId: "column", title: "!!!", cardCount: 0, cards: [] },
    ],
  });
});

test("the sample board is a valid board with the cards that the examples name", () => {
  expect(board.transition(null, sampleBoard)).toMatchObject({ accepted: true, state: sampleBoard });
  const ids = sampleBoard.columns.flatMap((column) => column.cards.map((card) => card.cardId));
  expect(ids).toEqual(expect.arrayContaining(["T-1", "T-2", "T-3", "T-15", "T-42"]));
});
