// Columns that are only to look at: of a past version, or of what is beside the board.

import type { Board } from "@opstate/kanban-domain";
import { STILL_CARDS } from "@opstate/kanban-page/board/long-column.ts";
import { PriorityIcon } from "./priority-icon.tsx";

interface StillColumnsProps {
  readonly columns: Board["columns"];
  /** Distinguishes them from columns of the same titles: ", on the branch". */
  readonly where?: string;
  readonly isMarked?: (cardId: string) => boolean;
  /** What differs of a card. */
  readonly differenceOf?: (cardId: string) => string | undefined;
}

export function StillColumns({ columns, where = "", isMarked, differenceOf }: StillColumnsProps) {
  return columns.map(({ columnId, title, cardCount, cards }) => (
    <section key={columnId} className="column" aria-label={`${title}${where}`}>
      <header className="column-head">
        <h3 className="column-title">
          <span className="column-name">{title}</span>
        </h3>
        <span className="count number">{cardCount.toLocaleString("en")}</span>
      </header>
      {/* Beside the board each list scrolls by itself. */}
      <ul className="cards" aria-label={`Cards in ${title}${where}`} tabIndex={differenceOf && 0}>
        {cards.slice(0, STILL_CARDS).map((card) => {
          const difference = differenceOf?.(card.cardId);
          return (
            <li
              key={card.cardId}
              className="card"
              data-still-card={card.cardId}
              data-changed={isMarked?.(card.cardId) ? "" : undefined}
              data-differs={difference === undefined ? undefined : ""}
            >
              <p className="card-title">{card.title}</p>
              {difference !== undefined && <p className="card-difference">{difference}</p>}
              <div className="card-meta">
                <span className="card-id mono">{card.cardId}</span>
                <span className="priority number" data-priority={card.priority}>
                  <PriorityIcon priority={card.priority} />
                  {`P${card.priority}`}
                </span>
              </div>
            </li>
          );
        })}
      </ul>
      {cards.length > STILL_CARDS && (
        <p className="column-more number">{`and ${(cards.length - STILL_CARDS).toLocaleString("en")} more`}</p>
      )}
    </section>
  ));
}
