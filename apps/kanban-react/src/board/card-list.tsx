// The cards of a column, with the ghosts of what is proposed where they would be.

import type { Column } from "@opstate/kanban-domain";
import { Fragment } from "react";
import { useStore } from "zustand";
import { Ghosts } from "../proposals/ghosts.tsx";
import type { Ghost } from "@opstate/kanban-page/proposals/preview.ts";
import { useSession } from "../session-context.ts";
import { CardView } from "./card-view.tsx";
import { LongCardList } from "./long-card-list.tsx";

/** A column of more cards renders only those in sight. */
const longColumn = 120;

export function CardList({ column: { columnId, title, cards } }: { column: Column }) {
  const ghosts = useGhosts(columnId);
  if (cards.length > longColumn) return <LongCardList columnId={columnId} title={title} cards={cards} ghosts={ghosts} />;
  const known = new Set(cards.map((card) => card.cardId));
  const top = ghosts.filter(({ after }) => after === undefined || !known.has(after));
  return (
    <ul className="cards" data-cards="" aria-label={`Cards in ${title}`} tabIndex={-1}>
      <Ghosts ghosts={top} />
      {cards.map((card) => (
        <Fragment key={card.cardId}>
          <CardView card={card} columnId={columnId} />
          <Ghosts ghosts={ghosts.filter(({ after }) => after === card.cardId)} />
        </Fragment>
      ))}
    </ul>
  );
}

const none: readonly Ghost[] = [];

/** What is proposed is about the board; a branch has none. */
function useGhosts(columnId: string): readonly Ghost[] {
  const { proposals, branch } = useSession();
  const onBranch = useStore(branch, ({ shown }) => shown);
  return useStore(proposals, ({ preview }) => (onBranch ? none : (preview.ghosts.get(columnId) ?? none)));
}
