import { board, findCard, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { placeInWords, placeOf, stepTarget } from "../../src/drag/keyboard-drag.ts";

const start = board.reduce(null, { type: "$replace", value: sampleBoard });
if (!start) throw new Error("The sample board is a board");

describe("a place by keyboard", () => {
  const arrows = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const;

  it("is always one that the reducer accepts, and that it puts the card at", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const cardIds = start.columns.flatMap(({ cards }) => cards.map((card) => card.cardId));
    let state = start;
    for (let turn = 0; turn < 300; turn += 1) {
      const cardId = cardIds[random(cardIds.length)] ?? "";
      const from = placeOf(state, cardId);
      if (!from) throw new Error(`${cardId} is on the board`);
      let target = from;
      for (let steps = random(8); steps > 0; steps -= 1)
        target = stepTarget(state, cardId, target, arrows[random(4)] ?? "ArrowUp");
      const operation = board.op.move({
        cardId,
        fromColumn: from.columnId,
        toColumn: target.columnId,
        position: target.index,
      });
      expect(board.can(state, operation)).toBeUndefined();
      state = board.reduce(state, operation) ?? start;
      expect(placeOf(state, cardId)).toEqual(target);
      const place = findCard(state, cardId);
      expect(placeInWords(state, cardId, target)).toBe(
        `${place?.column.title}, position ${target.index + 1} of ${place?.column.cards.length}`,
      );
    }
  });

  it("stays at the edge of the board", () => {
    const first = { columnId: "backlog", index: 0 };
    expect(stepTarget(start, "T-42", first, "ArrowLeft")).toEqual(first);
    expect(stepTarget(start, "T-42", first, "ArrowUp")).toEqual(first);
  });
});
