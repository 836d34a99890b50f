// The cards of a column, with ghosts of proposed cards.

import type { Column } from "@opstate/kanban-domain";
import { LONG_COLUMN } from "@opstate/kanban-page/board/long-column.ts";
import { Fragment } from "react";
import { useStore } from "zustand";
import { Ghosts } from "../proposals/ghosts.tsx";
import { type Ghost, ghostsIn, NOTHING_PROPOSED, placeGhosts } from "@opstate/kanban-page/proposals/preview.ts";
import { useSession } from "../session-context.ts";
import { CardView } from "./card-view.tsx";
import { LongCardList } from "./long-card-list.tsx";

export function CardList({ column: { columnId, title, cards } }: { column: Column }) {
  const ghosts = useGhosts(columnId);
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

/** Proposals are about the board, so a branch shows no ghosts. */
function useGhosts(columnId: string): readonly Ghost[] {
  const { proposals, branch } = useSession();
  const onBranch = useStore(branch, ({ shown }) => shown);
  return useStore(proposals, ({ preview }) => ghostsIn(onBranch ? NOTHING_PROPOSED : preview, columnId));
}
