// Undo and redo of one's own edits, with what they would do.

import { stepText } from "@opstate/kanban-page/undo/take-back.ts";
import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { Board, useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";

export function UndoButtons() {
  const { takeBack } = useSession();
  const { canUndo, canRedo, last, next } = Board.useUndo();
  const { busy } = useStore(takeBack);
  const undoes = useLog((log) => stepText(last, log));
  const redoes = useLog((log) => stepText(next, log));
  return (
    <div className="undo-buttons" role="group" aria-label="Your own edits">
      <button
        type="button"
        className="button quiet small icon"
        aria-label={undoes ? `Undo: ${undoes}` : "Undo"}
        title={undoes ? `Undo: ${undoes} (z)` : canUndo ? "Undo your last edit (z)" : "Nothing of yours to undo"}
        disabled={!canUndo || busy}
        onClick={() => void takeBack.own("undo")}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className="button quiet small icon"
        aria-label={redoes ? `Redo: ${redoes}` : "Redo"}
        title={redoes ? `Redo: ${redoes} (Shift+z)` : canRedo ? "Redo (Shift+z)" : "Nothing to redo"}
        disabled={!canRedo || busy}
        onClick={() => void takeBack.own("redo")}
      >
        <Icon name="redo" />
      </button>
    </div>
  );
}
