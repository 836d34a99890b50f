// A column of thousands of cards: only the visible ones are rendered, between two spacers.
//
// Invariants:
// - Each card has its index (`data-index`), so dropping between cards works as in a short column.
// - The `reveal` event renders a card before the keyboard focuses it.

import type { Card } from "@opstate/kanban-domain";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { attachReveal, CARD_GAP, VIRTUAL_COLUMN } from "@opstate/kanban-page/board/long-column.ts";
import { AheadCards } from "../proposals/ahead-cards.tsx";
import { Ghosts } from "../proposals/ghosts.tsx";
import type { AheadCard } from "@opstate/kanban-page/ahead.ts";
import type { Ghost } from "@opstate/kanban-page/proposals/preview.ts";
import { CardView } from "./card-view.tsx";

export interface LongCardListProps {
  readonly columnId: string;
  readonly title: string;
  readonly cards: readonly Card[];
  readonly ghosts: readonly Ghost[];
  readonly ahead: readonly AheadCard[];
}

export function LongCardList({ columnId, title, cards, ghosts, ahead }: LongCardListProps) {
  const list = useRef<HTMLUListElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- what it passes on is stable
  const virtual = useVirtualizer({
    count: cards.length,
    ...VIRTUAL_COLUMN,
    getItemKey: (index) => cards[index]?.cardId ?? index,
    getScrollElement: () => list.current,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);

  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    return attachReveal(element, (index) =>
      flushSync(() => {
        virtual.scrollToIndex(index, { align: "auto" });
        // The scroll event comes with the next frame, but the card is needed now.
        element.dispatchEvent(new Event("scroll"));
      }),
    );
  }, [virtual]);

  return (
    <ul className="cards" data-cards="" data-long="" ref={list} aria-label={`Cards in ${title}`} tabIndex={-1}>
      <Ghosts ghosts={ghosts} />
      <AheadCards ahead={ahead} />
      {above > 0 && <li className="unseen" aria-hidden="true" style={{ height: above - CARD_GAP }} />}
      {items.map(({ index, key }) => {
        const card = cards[index];
        return (
          card && (
            <CardView
              key={key}
              card={card}
              columnId={columnId}
              place={{ index, of: cards.length }}
              measure={virtual.measureElement}
            />
          )
        );
      })}
      {below > 0 && <li className="unseen" aria-hidden="true" style={{ height: below - CARD_GAP }} />}
    </ul>
  );
}
