// The cards of a column, with ghosts of proposed cards and of those that the agent is about to add.

import type { Column } from "@opstate/kanban-domain";
import { LONG_COLUMN } from "@opstate/kanban-page/board/long-column.ts";
import { Fragment } from "react";
import { Ghosts } from "../proposals/ghosts.tsx";
import { usePreview } from "../proposals/use-preview.ts";
import { ghostsIn, placeGhosts } from "@opstate/kanban-page/proposals/preview.ts";
import { aheadIn } from "@opstate/kanban-page/ahead.ts";
import { useIntents } from "@opstate/react";
import { Board } from "../board-context.ts";
import { CardView } from "./card-view.tsx";
import { LongCardList } from "../late-parts.ts";
import { AheadCards } from "../proposals/ahead-cards.tsx";

export function CardList({ column: { columnId, title, cards } }: { column: Column }) {
  const ghosts = usePreview((preview) => ghostsIn(preview, columnId));
  const ahead = useIntents(Board.useThread(), (state) => aheadIn(state, columnId));
  if (cards.length > LONG_COLUMN)
    return <LongCardList columnId={columnId} title={title} cards={cards} ghosts={ghosts} ahead={ahead} />;
  const { top, behind } = placeGhosts(ghosts, cards);
  const aheadAt = placeGhosts(ahead, cards);
  return (
    <ul className="cards" data-cards="" aria-label={`Cards in ${title}`} tabIndex={-1}>
      <Ghosts ghosts={top} />
      <AheadCards ahead={aheadAt.top} />
      {cards.map((card) => (
        <Fragment key={card.cardId}>
          <CardView card={card} columnId={columnId} />
          <Ghosts ghosts={behind(card.cardId)} />
          <AheadCards ahead={aheadAt.behind(card.cardId)} />
        </Fragment>
      ))}
    </ul>
  );
}
