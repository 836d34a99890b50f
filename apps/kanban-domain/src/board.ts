// The board, defined once: the reducer, the agent's tools, the log and both pages come from this.

import { defineState, type OperationOf, type UpdateOf } from "@opstate/core";
import { addCard, editCard } from "./operations/cards.ts";
import { addColumn, removeColumn, renameColumn } from "./operations/columns.ts";
import { move } from "./operations/move.ts";
import { remove } from "./operations/remove.ts";
import { Board } from "./schema.ts";

export const board = defineState({
  name: "board",
  version: 1,
  schema: Board,
  initial: null,
  derive: { "/columns/*/cardCount": (column) => column.cards.length },
  // A person too: an older version is restored so. Which value it is, no definition can say.
  replace: { allow: ["user", "agent", "system"] },
  operations: { move, remove, addCard, editCard, addColumn, renameColumn, removeColumn },
});

export type BoardOperation = OperationOf<typeof board>;
export type BoardUpdate = UpdateOf<typeof board>;
