// The log, newest first: who did what and when, refusals with their reasons, runs as brackets.

import { Fragment, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { Board } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { Entry } from "./entry.tsx";
import { groupRuns } from "@opstate/kanban-page/timeline/group-runs.ts";
import { revealEntry } from "@opstate/kanban-page/timeline/reveal-entry.ts";
import { emptyLogText } from "@opstate/kanban-page/timeline/entry-words.ts";
import { LOG, logOf } from "@opstate/kanban-page/timeline/log.ts";
import { RunBracket } from "./run-bracket.tsx";

export function TimelinePanel() {
  const history = Board.useHistory(LOG);
  const { hasOlder, loading, older } = history;
  const { entries } = logOf(history, Board.useThread().getState());
  const scroller = usePointedEntry();
  return (
    <div className="timeline-scroll" ref={scroller} tabIndex={0} role="group" aria-label="Operations, newest first">
      {entries.length === 0 ? (
        <p className="timeline-empty">{emptyLogText(history)}</p>
      ) : (
        <ol className="timeline" data-testid="feed">
          {groupRuns(entries).map((item) => (
            <Fragment
              key={item.kind === "run" ? `run ${item.run.runId} ${item.run.entries.at(-1)?.key}` : item.entry.key}
            >
              {item.kind === "run" ? <RunBracket run={item.run} /> : <Entry entry={item.entry} />}
            </Fragment>
          ))}
        </ol>
      )}
      {entries.length > 0 && (
        <p className="timeline-end">
          {hasOlder ? (
            // Not disabled while it reads: it would lose the focus, for newer entries too.
            <button type="button" className="button small" onClick={() => void older()}>
              {loading ? "Reading" : "Show earlier"}
            </button>
          ) : (
            "The beginning of the log"
          )}
        </p>
      )}
    </div>
  );
}

function usePointedEntry() {
  const { view } = useSession();
  const pointed = useStore(view, (state) => state.pointed);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (pointed && scroller.current) revealEntry(scroller.current, pointed.version);
  }, [pointed]);
  return scroller;
}
