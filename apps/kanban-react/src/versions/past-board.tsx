// The board as it was, only to look at.

import { useStore } from "zustand";
import { PriorityIcon } from "../board/priority-icon.tsx";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { markOf } from "@opstate/kanban-page/timeline/log-entry.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { Board, useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { entryText } from "@opstate/kanban-page/timeline/entry-words.ts";
import { Words } from "../words.tsx";

/**
 * More cards of a column than these are not shown: the page would be slow.
 */
const SHOWN_CARDS = 200;

export function PastBoard({ version }: { version: number }) {
  const { past, user } = useSession();
  const { shown, problem } = useStore(past);
  const head = Board.useSync((sync) => sync.version);
  const entries = useLog((log) => log.entries);
  const entry = entries.find((each) => each.accepted && each.version === version);
  const columns = shown?.state?.columns ?? [];
  return (
    <>
      <div className="past-banner" role="status" data-testid="past-banner">
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
        <button type="button" className="button small" onClick={past.now}>
          Back to now: <kbd>Esc</kbd>
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
        {columns.map(({ columnId, title, cardCount, cards }) => (
          <section key={columnId} className="column" aria-label={title}>
            <header className="column-head">
              <h3 className="column-title">
                <span className="column-name">{title}</span>
              </h3>
              <span className="count number">{cardCount}</span>
            </header>
            <ul className="cards" aria-label={`Cards in ${title}`}>
              {cards.slice(0, SHOWN_CARDS).map((card) => (
                <li
                  key={card.cardId}
                  className="card"
                  data-past-card={card.cardId}
                  data-changed={entry?.cardIds.includes(card.cardId) ? "" : undefined}
                >
                  <p className="card-title">{card.title}</p>
                  <div className="card-meta">
                    <span className="card-id mono">{card.cardId}</span>
                    <span className="priority number" data-priority={card.priority}>
                      <PriorityIcon priority={card.priority} />
                      {`P${card.priority}`}
                    </span>
                  </div>
                </li>
              ))}
            </ul>
            {cards.length > SHOWN_CARDS && (
              <p className="column-more number">{`and ${cards.length - SHOWN_CARDS} more`}</p>
            )}
          </section>
        ))}
      </div>
    </>
  );
}
