// Scrolls to a card of a long column, so that it is rendered.

/** Sent to a column's list, with the card's index as its detail. */
export const REVEAL_EVENT = "opstate-reveal";

export function reveal(board: HTMLElement, columnId: string, index: number): void {
  const column = [...board.querySelectorAll<HTMLElement>("[data-column-id]")].find(
    (each) => each.dataset.columnId === columnId,
  );
  column?.querySelector("[data-cards][data-long]")?.dispatchEvent(new CustomEvent(REVEAL_EVENT, { detail: index }));
}
