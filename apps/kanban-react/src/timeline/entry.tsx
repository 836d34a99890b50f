// One line of the timeline.

import { useStore } from "zustand";
import { timeOfDay } from "@opstate/kanban-page/clock.ts";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import { type LogEntry, markOf } from "@opstate/kanban-page/timeline/log-entry.ts";
import { droppedText } from "@opstate/kanban-page/timeline/entry-words.ts";
import { useEntryText, useKeptLines } from "./use-entry-words.ts";

export function Entry({ entry, within }: { entry: LogEntry; within?: string }) {
  const { user, past, view } = useSession();
  const { accepted, actor, at, version, reason, dropped = 0, runId } = entry;
  const sentence = useEntryText(entry);
  const stays = useKeptLines(entry);
  const undone = useLog((log) => accepted && log.undone.has(version));
  const pointed = useStore(view, (state) => accepted && state.pointed?.version === version);
  const viewed = useStore(past, (state) => accepted && state.version === version);
  return (
    <li
      className="entry"
      data-accepted={accepted}
      data-kind={markOf(entry)}
      data-entry-version={version}
      data-undone={undone ? "" : undefined}
      data-pointed={pointed ? "" : undefined}
      data-viewed={viewed ? "" : undefined}
      data-outside={within !== undefined && runId !== within ? "" : undefined}
      tabIndex={-1}
    >
      <span className="entry-mark">
        <Mark kind={markOf(entry)} />
      </span>
      <p className="entry-head">
        <span className="entry-actor">{nameOf(actor, user)}</span>
        <time dateTime={at} title={new Date(at).toLocaleString()} className="number">
          {timeOfDay(at)}
        </time>
        <span className="push" />
        {accepted ? (
          <button
            type="button"
            className="entry-version number"
            title={`Show the board at version ${version}`}
            aria-label={`v${version}: show the board at this version`}
            onClick={() => {
              view.pane("board");
              past.show(version);
            }}
          >
            {`v${version}`}
          </button>
        ) : (
          <span className="entry-refused">Refused</span>
        )}
      </p>
      <p className="entry-sentence">
        <Words>{sentence}</Words>
      </p>
      {undone && <p className="entry-note">Taken back</p>}
      {dropped > 0 && <p className="entry-note">{droppedText(dropped)}</p>}
      {stays.map((line) => (
        <p key={line} className="entry-note">
          <Words>{line}</Words>
        </p>
      ))}
      {reason && (
        <p className="entry-reason">
          <Words>{reason}</Words>
        </p>
      )}
    </li>
  );
}
