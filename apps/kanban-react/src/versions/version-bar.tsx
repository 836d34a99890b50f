// Below the board: undo and redo, and the versions as a slider, a tick for each commit with the
// mark of who made it.

import { useStore } from "zustand";
import { Board, useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { versionSlider } from "@opstate/kanban-page/versions/slider.ts";
import { TakeBackNote } from "../undo/take-back-note.tsx";
import { UndoButtons } from "../undo/undo-buttons.tsx";
import { VersionTicks } from "./version-ticks.tsx";

export function VersionBar() {
  const { past, user } = useSession();
  const head = Board.useSync((sync) => sync.version);
  const entries = useLog((log) => log.entries);
  const viewed = useStore(past, (state) => state.version);
  const { commits, first, last, at, title, spoken, count } = versionSlider({ entries, head, viewed, user });
  return (
    <div className="version-bar" role="group" aria-label="Versions">
      <UndoButtons />
      <div className="version-track" data-many={commits.length > 60 ? "" : undefined}>
        <VersionTicks commits={commits} first={first} head={head} at={at} />
        <input
          type="range"
          className="version-slider"
          aria-label="Version of the board"
          aria-valuetext={spoken}
          title={title}
          min={first}
          max={last}
          value={at}
          disabled={head === 0}
          onChange={(event) => past.show(Number(event.target.value))}
        />
      </div>
      <p className="version-count number" aria-hidden="true">
        {count}
      </p>
      <TakeBackNote about="own" />
    </div>
  );
}
