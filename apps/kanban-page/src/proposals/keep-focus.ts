// Where the focus goes when the button or the form that had it goes away with a decision.

/**
 * When `done` has ended and left nothing focused, focuses the button in `root` that began it, or,
 * if that is gone too, the line of the call. If `root` itself is gone, it focuses the next decision
 * of the list, or else what names the place: the tab of the list, or the heading of the board.
 */
export async function keepFocus(root: HTMLElement, how: string, done: Promise<unknown> | undefined): Promise<void> {
  const list = root.parentElement;
  const index = [...(list?.children ?? [])].indexOf(root);
  const labelId = root.closest("[aria-labelledby]")?.getAttribute("aria-labelledby") ?? "";
  await done;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const buttonIn = (place: Element | null | undefined) =>
    place?.querySelector<HTMLElement>(`[data-how="${how}"]:enabled`) ??
    place?.querySelector<HTMLElement>("[data-how]:enabled");
  const button = root.isConnected
    ? (buttonIn(root) ?? root.querySelector<HTMLElement>("summary"))
    : list?.isConnected
      ? (buttonIn(list.children[index] ?? list.lastElementChild) ?? buttonIn(list))
      : undefined;
  if (button) return button.focus({ preventScroll: true });
  const label = document.getElementById(labelId);
  // A heading takes the focus from here only.
  if (label && !label.hasAttribute("tabindex")) label.tabIndex = -1;
  label?.focus({ preventScroll: true });
}
