// Add, rename and remove columns. Only an empty column can be removed, so no card is lost by
// accident.

import type { ApplyContext, OperationSpec } from "@opstate/core";
import * as z from "zod/mini";
import { describe } from "../describe.ts";
import { findColumn, findColumnByTitle } from "../find.ts";
import { slugOf } from "../ids.ts";
import { columnNotFound, refuse } from "../refusals.ts";
import { type BoardDraft, type Column, input, LIMITS } from "../schema.ts";

const AddColumn = z.object({
  title: input.columnTitle,
  position: z.optional(input.position).check(z.describe("0 is the left. The default is the right end.")),
});

export const addColumn: OperationSpec<BoardDraft, typeof AddColumn> = {
  description: "Add an empty column. Its id is made from the title: In Progress gets in-progress",
  input: AddColumn,
  describe: (input, before) => describe({ type: "addColumn", ...input }, before),
  apply(board, { title, position }, { reject, id }) {
    const present = findColumnByTitle(board, title);
    if (present) return columnExists(reject, "added", present);
    const slug = slugOf(title);
    // A renamed column keeps its id, so another title may have the same one.
    const columnId = findColumn(board, slug) === undefined ? slug : id(`${slug}-`);
    if (board.columns.length >= LIMITS.columns)
      return refuse(reject, "board_full", `Not added: the board has ${LIMITS.columns} columns, the maximum.`);
    board.columns.splice(Math.min(position ?? board.columns.length, board.columns.length), 0, {
      columnId,
      title,
      cardCount: 0,
      cards: [],
    });
  },
};

const RenameColumn = z.object({ columnId: input.id, title: input.columnTitle });

export const renameColumn: OperationSpec<BoardDraft, typeof RenameColumn> = {
  description: "Change a column's title",
  input: RenameColumn,
  describe: (input, before) => describe({ type: "renameColumn", ...input }, before),
  apply(board, { columnId, title }, { reject }) {
    const column = findColumn(board, columnId);
    if (!column) return columnNotFound(reject, "renamed", board, columnId);
    const present = findColumnByTitle(board, title);
    if (present && present.columnId !== columnId) return columnExists(reject, "renamed", present);
    if (column.title !== title) column.title = title;
  },
};

const RemoveColumn = z.object({ columnId: input.id });

export const removeColumn: OperationSpec<BoardDraft, typeof RemoveColumn> = {
  description: "Remove an empty column",
  input: RemoveColumn,
  describe: (input, before) => describe({ type: "removeColumn", ...input }, before),
  apply(board, { columnId }, { reject }) {
    const column = findColumn(board, columnId);
    if (!column) return columnNotFound(reject, "removed", board, columnId);
    const count = column.cards.length;
    if (count > 0) {
      const cards = count === 1 ? "1 card" : `${count} cards`;
      return refuse(
        reject,
        "column_not_empty",
        `Not removed: '${column.title}' holds ${cards}. Move or remove them first.`,
        {
          columnId,
          cardCount: count,
        },
      );
    }
    board.columns.splice(
      board.columns.findIndex((each) => each.columnId === columnId),
      1,
    );
  },
};

function columnExists(reject: ApplyContext["reject"], verb: string, { columnId, title }: Column): void {
  refuse(reject, "column_exists", `Not ${verb}: there is already a column '${title}' with the id '${columnId}'.`, {
    columnId,
    title,
  });
}
