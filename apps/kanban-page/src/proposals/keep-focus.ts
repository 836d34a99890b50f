// Where the focus goes when the button or the form that had it goes away with a decision.

/**
 * When `done` has ended and left nothing focused, focuses the button in `root` that began it, or,
 * if that is gone too, the line of the call. If `root` itself is gone, it focuses the next decision
 * of the list or of the board, after the last one the first, or else what names the place: the tab
 * of the list, or the heading of the board.
 */
export async function keepFocus(root: HTMLElement, how: string, done: Promise<unknown> | undefined): Promise<void> {
  const board = root.closest("[data-board]");
  const place = board ?? root;
  const all = [...(board?.querySelectorAll(GHOST) ?? root.parentElement?.children ?? [])];
  const index = all.indexOf(root);
  const others = [...all.slice(index + 1), ...all.slice(0, index)];
  const labelId = place.closest("[aria-labelledby]")?.getAttribute("aria-labelledby") ?? "";
  await done;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const buttonIn = (decision: Element): HTMLElement | null =>
    decision.querySelector<HTMLElement>(`[data-how="${how}"]:enabled`) ??
    decision.querySelector<HTMLElement>("[data-how]:enabled");
  const button = root.isConnected
    ? (buttonIn(root) ?? root.querySelector<HTMLElement>("summary"))
    : others.flatMap((other) => (other.isConnected ? (buttonIn(other) ?? []) : []))[0];
  if (button) return button.focus({ preventScroll: true });
  const label = document.getElementById(labelId);
  // A heading takes the focus from here only.
  if (label && !label.hasAttribute("tabindex")) label.tabIndex = -1;
  label?.focus({ preventScroll: true });
}

const GHOST = "[data-ghost-of]";
