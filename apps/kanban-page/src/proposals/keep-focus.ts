// Where the focus goes when the button or the form that had it goes away with a decision.

/**
 * When `done` has ended and left nothing focused, focuses the button in `root` that began it, or,
 * if that is gone too, the line of the call. If `root` itself is gone, it focuses the next decision
 * of the list or of the board, after the last one the first, or else what names the place: the tab
 * of the list, or the heading of the board.
 */
export async function keepFocus(root: HTMLElement, how: string, done: Promise<unknown> | undefined): Promise<void> {
  const board = root.closest("[data-board]");
  const list = root.parentElement;
  const decisions = (): Element[] =>
    board ? [...board.querySelectorAll(GHOST)] : list?.isConnected ? [...list.children] : [];
  const index = decisions().indexOf(root);
  const labelId = (board ?? root).closest("[aria-labelledby]")?.getAttribute("aria-labelledby") ?? "";
  await done;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const buttonIn = (decision: Element): HTMLElement | null =>
    decision.querySelector<HTMLElement>(`[data-how="${how}"]:enabled`) ??
    decision.querySelector<HTMLElement>("[data-how]:enabled");
  const left = decisions();
  // The next one has the place of the one that is gone.
  const next = [...left.slice(index), ...left.slice(0, index)].flatMap((decision) => buttonIn(decision) ?? [])[0];
  const button = root.isConnected ? (buttonIn(root) ?? root.querySelector<HTMLElement>("summary")) : next;
  if (button) return button.focus({ preventScroll: true });
  const label = document.getElementById(labelId);
  // A heading takes the focus from here only.
  if (label && !label.hasAttribute("tabindex")) label.tabIndex = -1;
  label?.focus({ preventScroll: true });
}

const GHOST = "[data-ghost-of]";
