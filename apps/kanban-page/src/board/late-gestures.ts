// What is attached to the board once it is there: moving columns, and scrolling to what others do.

import type { Overlay } from "../drag/overlay.ts";
import { scrollToActivity } from "../scroll/scroll-to-activity.ts";
import type { Session } from "../session.ts";
import type { BoardMotion } from "./board-motion.ts";
import { attachColumnGestures } from "./column-gestures.ts";

/** Returns the function that detaches it. */
export function attachLateGestures(
  board: HTMLElement,
  overlay: Overlay,
  motion: BoardMotion,
  session: Session,
): () => void {
  const detachColumns = attachColumnGestures(board, overlay, motion, session);
  const stopScrolling = scrollToActivity(board, session);
  return () => {
    detachColumns();
    stopScrolling();
  };
}
