// Gives the board's element its gestures and its motion.

import type { Board } from "@opstate/kanban-domain";
import { type RefObject, useEffect } from "react";
import { attachKeyboardDrag, placeOf } from "../drag/keyboard-drag.ts";
import { cardElement, type DropTarget } from "../drag/drop-target.ts";
import { createOverlay } from "../drag/overlay.ts";
import { attachPointerDrag } from "../drag/pointer-drag.ts";
import { attachRovingFocus } from "../drag/roving-focus.ts";
import { createBoardMotion } from "../motion/board-motion.ts";
import { useSession } from "../session-context.ts";

export function useBoardGestures(ref: RefObject<HTMLElement | null>) {
  const { replica, edits, notices, announcer } = useSession();
  useEffect(() => {
    const board = ref.current;
    if (!board) return undefined;
    const overlay = createOverlay();
    const motion = createBoardMotion(board, overlay);
    // A move says where the person saw the card; if somebody moved it meanwhile, that is refused with the reason.
    let seenAt: DropTarget | undefined;
    const see = (cardId: string) => {
      notices.clear();
      const state: Board | null = replica.getState();
      seenAt = state ? placeOf(state, cardId) : undefined;
    };
    const move = (cardId: string, target: DropTarget) => {
      const from = seenAt;
      if (!from || (from.columnId === target.columnId && from.index === target.index)) return;
      // On a narrow page the board goes along with the card; before its flight, which ends where it then is.
      requestAnimationFrame(() => cardElement(board, cardId)?.scrollIntoView({ block: "nearest", inline: "nearest" }));
      void edits.move(cardId, from.columnId, target);
    };

    const ends = [
      replica.subscribe(() => motion.before()),
      attachPointerDrag(board, overlay, {
        lifted: see,
        dropped(cardId, target, from) {
          move(cardId, target);
          motion.from(cardId, from);
        },
        returned: (cardId, from) => motion.from(cardId, from),
      }),
      attachKeyboardDrag(board, overlay, {
        board: () => replica.getState(),
        say: (sentence) => announcer.say(sentence),
        lifted: see,
        dropped(cardId, target) {
          move(cardId, target);
          // The card may have a new element, in another column: the focus goes with it.
          requestAnimationFrame(() => cardElement(board, cardId)?.focus());
        },
      }),
      attachRovingFocus(board),
      () => motion.stop(),
      () => overlay.remove(),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [ref, replica, edits, notices, announcer]);
}
