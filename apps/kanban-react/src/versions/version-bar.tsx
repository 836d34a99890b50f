// Below the board: undo and redo, and the versions as a slider.

import { VersionTrack } from "../late-parts.ts";
import { TakeBackNote } from "../undo/take-back-note.tsx";
import { UndoButtons } from "../undo/undo-buttons.tsx";

export function VersionBar() {
  return (
    <div className="version-bar" role="group" aria-label="Versions">
      <UndoButtons />
      <VersionTrack />
      <TakeBackNote about="own" />
    </div>
  );
}
