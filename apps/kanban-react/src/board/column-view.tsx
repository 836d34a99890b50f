// One column: title, count and cards from one snapshot, so the count is right in every frame.

import type { Board } from "@opstate/kanban-domain";
import { useAgentState } from "@opstate/react";
import { useCallback } from "react";
import { useSession } from "../session-context.ts";
import { AddCard } from "./add-card.tsx";
import { CardList } from "./card-list.tsx";
import { ColumnTitle } from "./column-title.tsx";

export function ColumnView({ columnId }: { columnId: string }) {
  const { replica, edits } = useSession();
  const select = useCallback(
    (board: Board | null) => board?.columns.find((column) => column.columnId === columnId),
    [columnId],
  );
  const column = useAgentState(replica, select);
  if (!column) return null;
  const { title, cardCount, cards } = column;
  return (
    <section className="column" data-column-id={columnId} aria-label={title}>
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
