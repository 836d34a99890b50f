// Which rows of a long list are visible, and scrolling to one of them.

/** Rows that are rendered beyond each edge, so that scrolling shows no gaps. */
const ROWS_BEYOND = 8;

export interface ListView {
  /** px from the list's top. */
  readonly top: number;
  /** px */
  readonly height: number;
}

export const FIRST_VIEW: ListView = { top: 0, height: 600 };

/** The rows from `from` up to and without `to`. */
export function rowsInSight(
  { top, height }: ListView,
  rowHeight: number,
  count: number,
): { readonly from: number; readonly to: number } {
  return {
    from: Math.max(0, Math.floor(top / rowHeight) - ROWS_BEYOND),
    to: Math.min(count, Math.ceil((top + height) / rowHeight) + ROWS_BEYOND),
  };
}

/** Scrolls the list until the row is visible. */
export function bringIntoSight(list: HTMLElement, row: number, rowHeight: number): void {
  const top = row * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
}
