// Where a dragged card would land: a column, and an index among that column's other cards.
//
// It reads the board's elements (`data-column-id`, `data-card-id`), so it works with any framework.

export interface DropTarget {
  readonly columnId: string;
  /** Place among the other cards of the column: 0 is the top. */
  readonly index: number;
}

/** Px around the board that still count as the board. */
const EDGE_TOLERANCE_PX = 24;

/** Half of the gap between two columns. */
export const HALF_GAP_PX = 6;

/** A line across a column, or upright between two. */
export interface DropLine {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The thickness of a line. */
export const LINE_PX = 2;

export function isOver(board: HTMLElement, x: number, y: number): boolean {
  const { left, right, top, bottom } = board.getBoundingClientRect();
  return (
    x >= left - EDGE_TOLERANCE_PX &&
    x <= right + EDGE_TOLERANCE_PX &&
    y >= top - EDGE_TOLERANCE_PX &&
    y <= bottom + EDGE_TOLERANCE_PX
  );
}

/** The target under a point; undefined outside of the visible columns. */
export function dropTargetAt(board: HTMLElement, x: number, y: number, cardId: string): DropTarget | undefined {
  if (!isOver(board, x, y)) return undefined;
  const { left, right } = board.getBoundingClientRect();
  const at = Math.min(Math.max(x, left), right);
  // Half of the gap on either side belongs to the column. Columns may be in several rows.
  const under = columnsOf(board).filter((each) => {
    const edges = each.getBoundingClientRect();
    return at >= edges.left - HALF_GAP_PX && at <= edges.right + HALF_GAP_PX;
  });
  const column = under.findLast((each) => each.getBoundingClientRect().top - HALF_GAP_PX <= y) ?? under[0];
  if (column === undefined) return undefined;
  const cards = otherCards(column, cardId);
  const below = cards.filter((card) => middle(card) < y).length;
  return { columnId: column.dataset.columnId ?? "", index: firstIndex(column, cards, cardId) + below };
}

/** Where the line that shows a target is drawn, in viewport coordinates. */
export function dropLineOf(board: HTMLElement, target: DropTarget, cardId: string): DropLine | undefined {
  const column = columnElement(board, target.columnId);
  const list = column?.querySelector<HTMLElement>("[data-cards]");
  if (!column || !list) return undefined;
  const { left, width, top, bottom } = list.getBoundingClientRect();
  const cards = otherCards(column, cardId);
  const index = target.index - firstIndex(column, cards, cardId);
  const above = cards[index - 1]?.getBoundingClientRect().bottom;
  const below = cards[index]?.getBoundingClientRect().top;
  const at =
    above !== undefined && below !== undefined && below - above < 24
      ? (above + below) / 2
      : above !== undefined
        ? above + 3
        : below !== undefined
          ? below - 3
          : top + 4;
  const middleOfLine = Math.min(Math.max(at, top + 1), bottom - 1);
  return { left: left + 8, width: width - 16, top: middleOfLine - LINE_PX / 2, height: LINE_PX };
}

export function cardElement(board: HTMLElement, cardId: string): HTMLElement | undefined {
  return [...board.querySelectorAll<HTMLElement>("[data-card-id]")].find((card) => card.dataset.cardId === cardId);
}

export const columnElement = (board: HTMLElement, columnId: string | undefined): HTMLElement | undefined =>
  columnsOf(board).find((each) => each.dataset.columnId === columnId);

export const columnsOf = (board: HTMLElement): HTMLElement[] => [
  ...board.querySelectorAll<HTMLElement>("[data-column-id]"),
];
const otherCards = (column: HTMLElement, cardId: string): HTMLElement[] =>
  [...column.querySelectorAll<HTMLElement>("[data-card-id]")].filter((card) => card.dataset.cardId !== cardId);

/** How many other cards of a long column are above the rendered ones. */
function firstIndex(column: HTMLElement, others: readonly HTMLElement[], cardId: string): number {
  const first = Number(others[0]?.dataset.index ?? 0);
  const own = [...column.querySelectorAll<HTMLElement>("[data-card-id]")].find(
    (card) => card.dataset.cardId === cardId,
  );
  // The dragged card does not count, if it is above them.
  return own !== undefined && Number(own.dataset.index ?? 0) < first ? first - 1 : first;
}

function middle(card: HTMLElement): number {
  const { top, height } = card.getBoundingClientRect();
  return top + height / 2;
}
