// Attaches gestures and motion to the board's element.

import type { Board } from "@opstate/kanban-domain";
import { draggableCards } from "../drag/draggable-cards.ts";
import { cardElement, type DropTarget } from "../drag/drop-target.ts";
import { attachKeyboardDrag, placeOf, staysWords } from "../drag/keyboard-drag.ts";
import { createOverlay } from "../drag/overlay.ts";
import { attachPointerDrag } from "../drag/pointer-drag.ts";
import { reveal } from "../drag/reveal.ts";
import { attachRovingFocus } from "../drag/roving-focus.ts";
import { attachLate } from "../late-part.ts";
import { createBoardMotion } from "./board-motion.ts";
import type { Session } from "../session.ts";
import { showFocus } from "../presence/show-focus.ts";

/**
 * Moving cards and columns by mouse, touch and keyboard, with animations. Returns the function that
 * detaches it.
 */
export function attachBoardGestures(board: HTMLElement, session: Session): () => void {
  const { thread, edits, notices, announcer } = session;
  const overlay = createOverlay();
  const motion = createBoardMotion(board, overlay);
  // A move names the place where the person saw the card. If another actor moved it meanwhile, the
  // move is refused with that reason.
  let origin: DropTarget | undefined;
  let byKeyboard = false;
  const rememberPlace = (cardId: string) => {
    notices.clear();
    const state: Board | null = thread.getState();
    origin = state ? placeOf(state, cardId) : undefined;
  };
  // On a narrow page the board scrolls to the card before the animation, which ends there.
  const follow = (cardId: string) =>
    requestAnimationFrame(() => {
      const state: Board | null = thread.getState();
      const place = state ? placeOf(state, cardId) : undefined;
      if (place) reveal(board, place.columnId, place.index);
      const card = cardElement(board, cardId);
      card?.scrollIntoView({ block: "nearest", inline: "nearest" });
      // In another column the card has a new element, which gets the focus of the old one.
      if (byKeyboard && document.activeElement === document.body) card?.focus({ preventScroll: true });
    });
  const move = async (cardId: string, target: DropTarget) => {
    const from = origin;
    if (!from) return;
    if (from.columnId === target.columnId && from.index === target.index) {
      if (byKeyboard) announcer.say(staysWords(thread.getState(), cardId));
      return;
    }
    follow(cardId);
    const accepted = await edits.move(cardId, from.columnId, target);
    if (!accepted) follow(cardId);
  };

  const cleanups = [
    thread.subscribe(() => motion.before()),
    attachPointerDrag(board, overlay, draggableCards(board), {
      lifted: rememberPlace,
      dropped(cardId, target, from) {
        byKeyboard = false;
        void move(cardId, target);
        motion.from(cardId, from);
      },
      returned: (cardId, from) => motion.from(cardId, from),
    }),
    attachKeyboardDrag(board, overlay, {
      board: () => thread.getState(),
      say: (sentence) => announcer.say(sentence),
      lifted: rememberPlace,
      dropped(cardId, target) {
        byKeyboard = true;
        void move(cardId, target);
      },
    }),
    attachLate(session.lateGestures, (attach) => attach(board, overlay, motion, session)),
    attachRovingFocus(board),
    showFocus(board, thread),
    () => motion.stop(),
    () => overlay.remove(),
  ];
  return () => {
    for (const cleanup of cleanups) cleanup();
  };
}
