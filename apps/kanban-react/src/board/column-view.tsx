// One column: title, count and cards from one snapshot, so the count is right in every frame.

import { movesColumn, refusesColumn } from "@opstate/kanban-page/board/column-details.ts";
import { useStore } from "zustand";
import { Board } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { AddCard } from "./add-card.tsx";
import { CardList } from "./card-list.tsx";
import { ColumnTitle } from "./column-title.tsx";

export function ColumnView({ columnId }: { columnId: string }) {
  const { edits, notices } = useSession();
  const column = Board.useAgentState((board) => board?.columns.find((each) => each.columnId === columnId));
  const pending = Board.useSync((sync) => sync.pending.some((submission) => movesColumn(submission, columnId)));
  const refused = useStore(notices, (all) => all.some((notice) => refusesColumn(notice, columnId)));
  if (!column) return null;
  const { title, cardCount, cards } = column;
  return (
    <section
      className="column"
      data-column-id={columnId}
      data-pending={pending ? "" : undefined}
      data-refused={refused ? "" : undefined}
      aria-label={title}
    >
      <header className="column-head" data-column-head="">
        <ColumnTitle columnId={columnId} title={title} />
        <span
          className="count number"
          data-testid="card-count"
          aria-label={cardCount === 1 ? "1 card" : `${cardCount} cards`}
        >
          {cardCount.toLocaleString("en")}
        </span>
      </header>
      <CardList column={column} />
      {cards.length === 0 && (
        <p className="column-empty">
          Drop a card here.
          <button type="button" className="button quiet small" onClick={() => void edits.removeColumn(columnId)}>
            Remove column
          </button>
        </p>
      )}
      <AddCard columnId={columnId} title={title} />
    </section>
  );
}
