// Attaches the board's gestures to its element.

import { attachBoardGestures } from "@opstate/kanban-page/board/board-gestures.ts";
import { type RefObject, useEffect } from "react";
import { useSession } from "../session-context.ts";

export function useBoardGestures(ref: RefObject<HTMLElement | null>) {
  const session = useSession();
  useEffect(() => (ref.current ? attachBoardGestures(ref.current, session) : undefined), [ref, session]);
}
