// The board as it was, only to look at.

import { useStore } from "zustand";
import { StillColumns } from "../board/still-columns.tsx";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { markOf } from "@opstate/kanban-page/timeline/log-entry.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { Board, useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { restorable, restore } from "@opstate/kanban-page/versions/restore.ts";
import { entryText } from "@opstate/kanban-page/timeline/entry-words.ts";
import { Words } from "../words.tsx";

export function PastBoard({ version }: { version: number }) {
  const session = useSession();
  const { past, user } = session;
  const view = useStore(past);
  const { shown, problem } = view;
  const head = Board.useSync((sync) => sync.version);
  const entries = useLog((log) => log.entries);
  const entry = entries.find((each) => each.accepted && each.version === version);
  const columns = shown?.state?.columns ?? [];
  return (
    <>
      <div className="past-banner" role="group" aria-label="An older version" data-testid="past-banner">
        <p>
          <strong className="number">{`Version ${version} of ${head}`}</strong>
          {entry && (
            <span className="past-entry">
              <Mark kind={markOf(entry)} size={9} />
              {` ${nameOf(entry.actor, user)}: `}
              <Words>{entryText(entry, entries)}</Words>
            </span>
          )}
        </p>
        <button
          type="button"
          className="button small"
          data-key-target="restore"
          disabled={restorable(view) === undefined}
          onClick={() => restore(session)}
        >
          Restore this version <kbd>r</kbd>
        </button>
        <button type="button" className="button small" onClick={past.now}>
          Back to now <kbd>Esc</kbd>
        </button>
      </div>
      {problem !== undefined && (
        <p className="problem past-problem" role="alert">
          {problem}
        </p>
      )}
      <div
        className="board past-board"
        data-past-version={shown?.version}
        tabIndex={0}
        role="group"
        aria-label={`The board at version ${version}, read only`}
      >
        {shown && columns.length === 0 && <p className="past-nothing">There was no board yet.</p>}
        <StillColumns columns={columns} isMarked={(cardId) => entry?.cardIds.includes(cardId) === true} />
      </div>
    </>
  );
}
