// The columns' ids in their order. The view of the whole board depends on nothing else.

import type { Board } from "@opstate/kanban-domain";

/** Undefined while there is no board. */
export const columnIdsOf = (board: Board | null): readonly string[] | undefined =>
  board?.columns.map(({ columnId }) => columnId);

export const sameColumnIds = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && a.length === b.length && a.every((item, index) => item === b[index]));
