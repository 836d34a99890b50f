// Shows the others which card this page is at: the one that has the focus.

import { defined } from "@opstate/core";
import { pointerOf } from "../card-pointer.ts";
import type { BoardThread } from "../open-board.ts";

/** Returns the function that stops it. */
export function showFocus(board: HTMLElement, { presence, getState }: BoardThread): () => void {
  const controller = new AbortController();
  const { signal } = controller;

  function show(focused: EventTarget | null): void {
    const card = focused instanceof Element && board.contains(focused) ? focused.closest("[data-card-id]") : null;
    const cardId = card?.getAttribute("data-card-id");
    if (!cardId) return presence.show({});
    const state = getState();
    const focus = state === null ? undefined : pointerOf(state, cardId);
    presence.show({
      ...defined({ focus }),
      typing: focused instanceof Element && focused.matches("input, textarea, select"),
      data: { cardId },
    });
  }

  board.addEventListener("focusin", ({ target }) => show(target), { signal });
  board.addEventListener("focusout", ({ relatedTarget }) => show(relatedTarget), { signal });
  show(document.activeElement);
  return () => {
    controller.abort();
    presence.show({});
  };
}
