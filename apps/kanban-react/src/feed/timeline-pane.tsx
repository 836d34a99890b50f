// The log, newest first: who did what, when, and what was refused and why.

import { useStore } from "zustand";
import { nameOf, Mark } from "../people/mark.tsx";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import type { FeedEntry } from "./narrate.ts";

export function TimelinePane() {
  const { feed } = useSession();
  const { status, entries } = useStore(feed);
  return (
    <section className="pane timeline-pane" aria-labelledby="timeline-title">
      <header className="pane-head">
        <h2 id="timeline-title">Timeline</h2>
      </header>
      <div className="timeline-scroll" tabIndex={0} role="group" aria-label="Operations, newest first">
        {entries.length === 0 ? (
          <p className="timeline-empty">{empty[status]}</p>
        ) : (
          <ol className="timeline" data-testid="feed">
            {entries.toReversed().map((entry) => (
              <Entry key={entry.key} entry={entry} />
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

const empty = {
  loading: "Reading the log.",
  ready: "Nothing happened yet. Every change to the board shows here, with who made it; refused ones too.",
  unreachable: "The log cannot be reached. It is read as soon as the connection is back.",
} as const;

function Entry({ entry }: { entry: FeedEntry }) {
  const { user } = useSession();
  const { accepted, actor, at, version, sentence, reason } = entry;
  return (
    <li className="entry" data-accepted={accepted} data-kind={actor.kind} data-entry-version={version}>
      <span className="entry-mark">
        <Mark kind={actor.kind} />
      </span>
      <p className="entry-head">
        <span className="entry-actor">{nameOf(actor, user)}</span>
        <time dateTime={at} title={new Date(at).toLocaleString()} className="number">
          {clock.format(new Date(at))}
        </time>
        <span className="push" />
        {accepted ? (
          <span className="entry-version number" title={`It made version ${version}`}>
            v{version}
          </span>
        ) : (
          <span className="entry-refused">Refused</span>
        )}
      </p>
      <p className="entry-sentence">
        <Words>{sentence}</Words>
      </p>
      {reason && (
        <p className="entry-reason">
          <Words>{reason}</Words>
        </p>
      )}
    </li>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
