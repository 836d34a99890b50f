// The columns to choose from.

import type { Board } from "@opstate/kanban-domain";

export interface ColumnName {
  readonly columnId: string;
  readonly title: string;
}

export function columnNames(board: Board | null): readonly ColumnName[] {
  return board?.columns.map(({ columnId, title }) => ({ columnId, title })) ?? [];
}

export function sameColumnNames(a: readonly ColumnName[], b: readonly ColumnName[]): boolean {
  return (
    a.length === b.length &&
    a.every((each, index) => each.columnId === b[index]?.columnId && each.title === b[index].title)
  );
}
