// The cards of a column, with ghosts of proposed cards.

import type { Column } from "@opstate/kanban-domain";
import { LONG_COLUMN } from "@opstate/kanban-page/board/long-column.ts";
import { Fragment } from "react";
import { Ghosts } from "../proposals/ghosts.tsx";
import { usePreview } from "../proposals/use-preview.ts";
import { ghostsIn, placeGhosts } from "@opstate/kanban-page/proposals/preview.ts";
import { CardView } from "./card-view.tsx";
import { LongCardList } from "./long-card-list.tsx";

export function CardList({ column: { columnId, title, cards } }: { column: Column }) {
  const ghosts = usePreview((preview) => ghostsIn(preview, columnId));
  if (cards.length > LONG_COLUMN)
    return <LongCardList columnId={columnId} title={title} cards={cards} ghosts={ghosts} />;
  const { top, behind } = placeGhosts(ghosts, cards);
  return (
    <ul className="cards" data-cards="" aria-label={`Cards in ${title}`} tabIndex={-1}>
      <Ghosts ghosts={top} />
      {cards.map((card) => (
        <Fragment key={card.cardId}>
          <CardView card={card} columnId={columnId} />
          <Ghosts ghosts={behind(card.cardId)} />
        </Fragment>
      ))}
    </ul>
  );
}
