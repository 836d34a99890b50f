// Where a dragged column would land: its index among the other columns. Columns may be in several
// rows.

import { columnElement, columnsOf, type DropLine, HALF_GAP_PX, isOver, LINE_PX } from "./drop-target.ts";
import type { Draggables } from "./pointer-drag.ts";

export const draggableColumns = (board: HTMLElement): Draggables<number> => ({
  // By the title, too: a press that does not move renames.
  idAt: (pressed) =>
    pressed.closest("[data-column-head]") && !pressed.closest("input")
      ? pressed.closest<HTMLElement>("[data-column-id]")?.dataset.columnId
      : undefined,
  element: (columnId) => columnElement(board, columnId),
  targetAt(x, y, columnId) {
    const others = otherColumns(board, columnId);
    const [first] = others;
    if (!first || !isOver(board, x, y)) return undefined;
    const top = (others.findLast((each) => topOf(each) <= y) ?? first).getBoundingClientRect().top;
    const row = others.filter((each) => Math.abs(topOf(each) - top) < 2);
    const next = row.find((each) => x < middleOf(each));
    return others.findIndex((each) => each === (next ?? row.at(-1))) + (next ? 0 : 1);
  },
  lineOf: (index, columnId) => columnLineOf(board, index, columnId),
  isInList: false,
});

/** The line that shows a target, in viewport coordinates. */
export function columnLineOf(board: HTMLElement, index: number, columnId: string): DropLine | undefined {
  const others = otherColumns(board, columnId);
  const next = others[index]?.getBoundingClientRect();
  const beside = next ?? others[index - 1]?.getBoundingClientRect();
  if (!beside) return undefined;
  const at = next ? next.left - HALF_GAP_PX : beside.right + HALF_GAP_PX;
  const edges = board.getBoundingClientRect();
  return {
    left: Math.min(Math.max(at, edges.left + LINE_PX), edges.right - LINE_PX) - LINE_PX / 2,
    top: beside.top,
    width: LINE_PX,
    height: beside.height,
  };
}

export const otherColumns = (board: HTMLElement, columnId: string): HTMLElement[] =>
  columnsOf(board).filter((each) => each.dataset.columnId !== columnId);

const topOf = (column: HTMLElement): number => column.getBoundingClientRect().top;

function middleOf(column: HTMLElement): number {
  const { left, width } = column.getBoundingClientRect();
  return left + width / 2;
}
