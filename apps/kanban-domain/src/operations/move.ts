// Move a card, or a whole column. Moving something to its own place changes nothing.

import type { OperationSpec } from "@opstate/core";
import * as z from "zod/mini";
import { describe } from "../describe.ts";
import { findCard, findColumn } from "../find.ts";
import { cardElsewhere, cardNotFound, columnNotFound, refuse } from "../refusals.ts";
import { type BoardDraft, input } from "../schema.ts";

const Move = z.object({
  cardId: z.optional(input.id).check(z.describe("The card to move. Leave it out to move the whole column fromColumn.")),
  fromColumn: z
    .optional(input.id)
    .check(
      z.describe("The columnId that the card is expected in (refused when it is elsewhere), or the column to move."),
    ),
  toColumn: input.id.check(
    z.describe("The columnId to move the card to, or the column whose place the moved column takes."),
  ),
  position: z
    .optional(input.position)
    .check(
      z.describe(
        "0 is the top (for a column: the left). Beyond the end means the end, which is the default for a card.",
      ),
    ),
});

export const move: OperationSpec<BoardDraft, typeof Move> = {
  description: "Move a card to a column, or (without cardId) move a whole column to another place on the board",
  input: Move,
  describe: (input, before) => describe({ type: "move", ...input }, before),
  apply(board, { cardId, fromColumn, toColumn, position }, { reject }) {
    const to = findColumn(board, toColumn);
    if (!to) return columnNotFound(reject, "moved", board, toColumn);
    const from = fromColumn === undefined ? undefined : findColumn(board, fromColumn);
    if (fromColumn !== undefined && !from) return columnNotFound(reject, "moved", board, fromColumn);

    if (cardId === undefined) {
      if (!from)
        return refuse(reject, "incomplete", "Not moved: say which card (cardId) or which column (fromColumn) to move.");
      const placeOf = (columnId: string) => board.columns.findIndex((column) => column.columnId === columnId);
      return reorder(board.columns, placeOf(from.columnId), position ?? placeOf(to.columnId));
    }

    const place = findCard(board, cardId);
    if (!place) return cardNotFound(reject, "moved", board, cardId);
    const { column, index } = place;
    if (from && from.columnId !== column.columnId) return cardElsewhere(reject, "moved", cardId, column, from);
    if (column.columnId === to.columnId) return reorder(to.cards, index, position ?? to.cards.length);
    const [card] = column.cards.splice(index, 1);
    if (card) to.cards.splice(Math.min(position ?? to.cards.length, to.cards.length), 0, card);
  },
};

function reorder<Item>(items: Item[], index: number, position: number): void {
  const target = Math.min(position, items.length - 1);
  if (index === target) return;
  const [item] = items.splice(index, 1);
  if (item !== undefined) items.splice(target, 0, item);
}
