// The page's single-key shortcuts. They do nothing while a person types.

import type { Session } from "../session.ts";

/** Listens on the window. Returns the function that stops it. */
export function attachKeys({ view, takeBack, past, why, branch, announcer }: Session, onHelp: () => void): () => void {
  function press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    const isRedo = key === "y" && (event.ctrlKey || event.metaKey);
    const isAboutBoard = key === "z" || isRedo || event.key === "[" || event.key === "]";
    if (isAboutBoard && branch.getState().shown)
      announcer.say("Undo and versions are about the board. Show the board first.");
    else if (key === "z") void takeBack.own(event.shiftKey ? "redo" : "undo");
    else if (isRedo) void takeBack.own("redo");
    else if (event.ctrlKey || event.metaKey) return;
    else if (event.key === "?") onHelp();
    else if (event.key === "[") past.step(-1);
    else if (event.key === "]") past.step(1);
    else if (event.key === "Escape" && why.getState().cardId !== undefined) why.close();
    else if (event.key === "Escape" && past.getState().version !== undefined) past.now();
    else if (event.key === "/") {
      view.pane("chat");
      onceShown(document, "chat", (field) => field.focus());
    } else if (event.key === "n") {
      view.pane("board");
      const column = event.target instanceof Element ? event.target.closest("[data-column-id]") : null;
      onceShown(column ?? document, "new-card", (button) => button.click());
    } else if (event.key === "r" && past.getState().version !== undefined) {
      view.pane("board");
      onceShown(document, "restore", (button) => button.click());
    } else return;
    event.preventDefault();
  }
  window.addEventListener("keydown", press);
  return () => window.removeEventListener("keydown", press);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, dialog, [contenteditable]",
  ) !== null;

/**
 * Runs at once if the target is visible, so that the next key is not lost. Otherwise it runs after
 * the next frame, if the target is visible then.
 */
function onceShown(root: ParentNode, name: string, then: (target: HTMLElement) => void): void {
  const attempt = (): boolean => {
    const target = root.querySelector<HTMLElement>(`[data-key-target='${name}']`);
    if (!target?.checkVisibility()) return false;
    then(target);
    return true;
  };
  if (!attempt()) requestAnimationFrame(attempt);
}
