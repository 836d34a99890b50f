// Below the board: undo and redo, and the versions as a slider, a tick for each commit with the mark of who made it.

import { useStore } from "zustand";
import { useSync } from "@opstate/react";
import { nameOf } from "@opstate/kanban-page/people/name.ts";
import { useSession } from "../session-context.ts";
import { wordsOf } from "@opstate/kanban-page/timeline/words.ts";
import { ObstacleNote } from "../undo/obstacle-note.tsx";
import { UndoButtons } from "../undo/undo-buttons.tsx";
import { VersionTicks } from "./version-ticks.tsx";

export function VersionBar() {
  const { replica, log, past, user } = useSession();
  const head = useSync(replica, (sync) => sync.version);
  const { entries } = useStore(log);
  const viewed = useStore(past, (state) => state.version);
  const commits = entries.filter(({ accepted }) => accepted);
  const first = Math.min((commits.at(-1)?.version ?? 1) - 1, head);
  const at = viewed ?? head;
  const entry = commits.find(({ version }) => version === at);
  const told = entry ? `: ${nameOf(entry.actor, user)}: ${wordsOf(entry, entries)}` : "";
  return (
    <div className="version-bar" role="group" aria-label="Versions">
      <UndoButtons />
      <div className="version-track" data-many={commits.length > 60 ? "" : undefined}>
        <VersionTicks commits={commits} first={first} head={head} at={at} />
        <input
          type="range"
          className="version-slider"
          aria-label="Version of the board"
          aria-valuetext={viewed === undefined ? `Now, version ${head}${told}` : `Version ${viewed} of ${head}${told}`}
          title={`Version ${at}${told}`}
          min={first}
          max={Math.max(head, first + 1)}
          value={at}
          disabled={head === 0}
          onChange={(event) => past.show(Number(event.target.value))}
        />
      </div>
      <p className="version-count number" aria-hidden="true">
        {viewed === undefined ? `v${head}` : `v${viewed} of ${head}`}
      </p>
      <ObstacleNote about="own" />
    </div>
  );
}
