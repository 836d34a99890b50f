// Add a card, and edit a card.

import type { OperationSpec } from "@opstate/core";
import * as z from "zod/mini";
import { describe } from "../describe.ts";
import { findCard, findColumn } from "../find.ts";
import { cardNotFound, columnNotFound, refuse } from "../refusals.ts";
import { type BoardDraft, input, LIMITS, Priority } from "../schema.ts";

const AddCard = z.object({
  columnId: input.id.check(z.describe("The columnId to add the card to.")),
  title: input.cardTitle,
  priority: z._default(Priority, 3).check(z.describe("1 is the most urgent, 4 the least.")),
  position: z.optional(input.position).check(z.describe("0 is the top. The default is the end.")),
});

export const addCard: OperationSpec<BoardDraft, typeof AddCard> = {
  description: "Add a card to a column. The verdict says which id it got",
  input: AddCard,
  describe: (input, before) => describe({ type: "addCard", ...input }, before),
  apply(board, { columnId, title, priority, position }, { reject, id }) {
    const column = findColumn(board, columnId);
    if (!column) return columnNotFound(reject, "added", board, columnId);
    if (column.cards.length >= LIMITS.cardsInColumn) {
      return refuse(
        reject,
        "board_full",
        `Not added: '${column.title}' holds ${LIMITS.cardsInColumn} cards, the maximum.`,
      );
    }
    const card = { cardId: id("T-"), title, priority };
    column.cards.splice(Math.min(position ?? column.cards.length, column.cards.length), 0, card);
  },
};

const EditCard = z.object({
  cardId: input.id,
  title: z.optional(input.cardTitle),
  priority: z.optional(Priority).check(z.describe("1 is the most urgent, 4 the least.")),
});

export const editCard: OperationSpec<BoardDraft, typeof EditCard> = {
  description: "Change a card's title, its priority, or both",
  input: EditCard,
  describe: (input, before) => describe({ type: "editCard", ...input }, before),
  apply(board, { cardId, title, priority }, { reject }) {
    if (title === undefined && priority === undefined)
      return refuse(reject, "incomplete", "Not changed: give a new title, a new priority, or both.");
    const place = findCard(board, cardId);
    const card = place?.column.cards[place.index];
    if (!card) return cardNotFound(reject, "changed", board, cardId);
    if (title !== undefined && title !== card.title) card.title = title;
    if (priority !== undefined && priority !== card.priority) card.priority = priority;
  },
};
