// Where the focus goes when the button or the form that had it goes away with a decision.

/**
 * When `done` has ended and left nothing focused, focuses the button in `root` that began it, or,
 * if that is gone too, the line of the call.
 */
export async function keepFocus(root: HTMLElement, how: string, done: Promise<unknown> | undefined): Promise<void> {
  await done;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const button = root.querySelector<HTMLElement>(`[data-how="${how}"]:enabled`);
  (button ?? root.querySelector<HTMLElement>("summary"))?.focus({ preventScroll: true });
}
