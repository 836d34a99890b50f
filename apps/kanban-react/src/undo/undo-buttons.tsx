// Undo and redo of one's own edits, with what they would do.

import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { useSession } from "../session-context.ts";

export function UndoButtons() {
  const { ownEdits, log, takeBack } = useSession();
  const { canUndo, canRedo, last, next } = useStore(ownEdits);
  const { busy } = useStore(takeBack);
  // The log has the sentences: a new entry may bring the one to show.
  useStore(log, ({ entries }) => entries[0]);
  const undoes = ownEdits.sentence(last);
  const redoes = ownEdits.sentence(next);
  return (
    <div className="undo-buttons" role="group" aria-label="Your own edits">
      <button
        type="button"
        className="button quiet small icon"
        aria-label={undoes ? `Undo: ${undoes}` : "Undo"}
        title={undoes ? `Undo: ${undoes} (z)` : canUndo ? "Undo your last edit (z)" : "Nothing of yours to undo"}
        disabled={!canUndo || busy}
        onClick={() => void ownEdits.step("undo")}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className="button quiet small icon"
        aria-label={redoes ? `Redo: ${redoes}` : "Redo"}
        title={redoes ? `Redo: ${redoes} (Shift+z)` : canRedo ? "Redo (Shift+z)" : "Nothing to redo"}
        disabled={!canRedo || busy}
        onClick={() => void ownEdits.step("redo")}
      >
        <Icon name="redo" />
      </button>
    </div>
  );
}
