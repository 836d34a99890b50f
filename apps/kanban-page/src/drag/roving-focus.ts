// One card is a tab stop: the last focused one, or the first. Arrow keys reach the others.

/** Maintains `tabindex` of a board's cards. Returns the function that stops it. */
export function attachRovingFocus(board: HTMLElement): () => void {
  const select = (card: Element | null) => {
    for (const other of board.querySelectorAll("[data-card-id][tabindex='0']"))
      if (other !== card) other.setAttribute("tabindex", "-1");
    card?.setAttribute("tabindex", "0");
  };
  const keep = () => {
    if (!board.querySelector("[data-card-id][tabindex='0']")) select(board.querySelector("[data-card-id]"));
  };
  const focus = (event: FocusEvent) => {
    const card = event.target instanceof Element ? event.target.closest("[data-card-id]") : null;
    if (card) select(card);
  };
  const changes = new MutationObserver(keep);
  keep();
  changes.observe(board, { childList: true, subtree: true });
  board.addEventListener("focusin", focus);
  return () => {
    changes.disconnect();
    board.removeEventListener("focusin", focus);
  };
}
