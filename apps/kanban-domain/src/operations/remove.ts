// Remove a card, or every card of a column.

import type { OperationSpec } from "@opstate/core";
import * as z from "zod/mini";
import { describe } from "../describe.ts";
import { findCard, findColumn } from "../find.ts";
import { cardElsewhere, cardNotFound, columnNotFound, refuse } from "../refusals.ts";
import { type BoardDraft, input } from "../schema.ts";

const Remove = z.object({
  cardId: z
    .optional(input.id)
    .check(z.describe("The card to remove. Leave it out to clear the whole column fromColumn.")),
  fromColumn: z
    .optional(input.id)
    .check(
      z.describe("The columnId that the card is expected in (refused when it is elsewhere), or the column to clear."),
    ),
});

export const remove: OperationSpec<BoardDraft, typeof Remove> = {
  description: "Remove a card, or (without cardId) clear a whole column",
  input: Remove,
  describe: (input, before) => describe({ type: "remove", ...input }, before),
  apply(board, { cardId, fromColumn }, { reject }) {
    const from = fromColumn === undefined ? undefined : findColumn(board, fromColumn);
    if (fromColumn !== undefined && !from) return columnNotFound(reject, "removed", board, fromColumn);

    if (cardId === undefined) {
      if (!from)
        return refuse(
          reject,
          "incomplete",
          "Not removed: say which card (cardId) to remove or which column (fromColumn) to clear.",
        );
      if (from.cards.length > 0) from.cards.splice(0, from.cards.length);
      return undefined;
    }

    const place = findCard(board, cardId);
    if (!place) return cardNotFound(reject, "removed", board, cardId);
    const { column, index } = place;
    if (from && from.columnId !== column.columnId) return cardElsewhere(reject, "removed", cardId, column, from);
    column.cards.splice(index, 1);
    return undefined;
  },
};
