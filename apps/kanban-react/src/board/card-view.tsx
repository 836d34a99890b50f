// One card. It renders again only when the card or its details change: pending, refused, last
// change.

import { type Card, cardName } from "@opstate/kanban-domain";
import { cardLabel, changeOf, concernsCard, edgeOf } from "@opstate/kanban-page/board/card-details.ts";
import { differenceOn } from "@opstate/kanban-page/branch-desk.ts";
import { markOf } from "@opstate/kanban-page/timeline/log-entry.ts";
import { type KeyboardEvent, memo, useRef, useState } from "react";
import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { PriorityIcon } from "./priority-icon.tsx";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { Board } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { CardForm } from "./card-form.tsx";
import { useCardAtWork, useHere, useLastChange, useProposed } from "./use-card-details.ts";

export interface CardViewProps {
  readonly card: Card;
  readonly columnId: string;
  /** In a long column: the card's position, because not all cards are rendered. */
  readonly place?: { readonly index: number; readonly of: number };
  readonly measure?: (element: HTMLElement | null) => void;
}

export const CardView = memo(function CardView({ card, columnId, place, measure }: CardViewProps) {
  const { notices, edits, user, liveSince, why, thread, branch } = useSession();
  const { cardId, title, priority } = card;
  const pending = Board.useSync((sync) => sync.pending.some((submission) => concernsCard(submission, card, columnId)));
  const refused = useStore(notices, (all) => all.some((notice) => notice.cardId === cardId));
  const lastChange = useLastChange(cardId);
  const since = useStore(liveSince);
  const atWork = useCardAtWork(cardId);
  const proposed = useProposed(cardId);
  const here = useHere(cardId);
  const difference = useStore(branch, (view) => differenceOn(view, thread, cardId));
  const [editing, setEditing] = useState(false);
  const root = useRef<HTMLLIElement>(null);

  function close() {
    setEditing(false);
    root.current?.focus();
  }

  function press(event: KeyboardEvent) {
    if (
      event.target !== event.currentTarget ||
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    if (event.key === "Enter") setEditing(true);
    else if (event.key === "w") void why.ask(thread, cardId);
    else return;
    event.preventDefault();
  }

  return (
    <li
      ref={(element) => {
        root.current = element;
        measure?.(element);
      }}
      className="card"
      data-index={place?.index}
      aria-posinset={place && place.index + 1}
      aria-setsize={place?.of}
      data-proposed={proposed}
      data-card-id={cardId}
      data-pending={pending ? "" : undefined}
      data-refused={refused ? "" : undefined}
      data-at-work={atWork ? "" : undefined}
      data-here={here?.kind}
      data-differs={difference === undefined ? undefined : ""}
      data-touched={edgeOf(lastChange, since)}
      data-still={editing ? "" : undefined}
      tabIndex={-1}
      aria-label={cardLabel({ card, pending, lastChange, proposed, here, difference, user })}
      aria-describedby="card-help"
      onKeyDown={press}
      onDoubleClick={() => setEditing(true)}
    >
      {editing ? (
        <CardForm
          label={`Edit ${cardName(card)}`}
          card={card}
          submit="Save"
          onCancel={close}
          onSubmit={(wanted) => {
            close();
            const change = changeOf(card, wanted);
            if (change) void edits.editCard(cardId, change);
          }}
          onRemove={() => void edits.removeCard(cardId, columnId)}
        />
      ) : (
        <>
          <p className="card-title">{title}</p>
          {difference !== undefined && <p className="card-difference">{difference}</p>}
          <div className="card-meta">
            <span className="card-id mono" title={cardId}>
              {cardId}
            </span>
            <span className="priority number" data-priority={priority} title={`Priority ${priority} of 4`}>
              <PriorityIcon priority={priority} />
              {`P${priority}`}
            </span>
            {lastChange && (
              <button
                type="button"
                className="card-why"
                tabIndex={-1}
                aria-label={`Why ${cardId}? Last changed by ${nameOf(lastChange.actor, user)}`}
                title={`Why? Last changed by ${nameOf(lastChange.actor, user)}`}
                onClick={() => void why.ask(thread, cardId)}
              >
                <Mark kind={markOf(lastChange)} size={9} />
                Why?
              </button>
            )}
            <span className="push" />
            {here && (
              <span className="card-here" title={here.sentence}>
                <Mark kind={here.kind} size={8} />
                <span className="card-here-name">{here.name}</span>
              </span>
            )}
            {pending && (
              <span className="pending-mark" title="Waiting to be saved">
                <Icon name="clock" />
              </span>
            )}
            <button
              type="button"
              className="card-edit button quiet small icon"
              tabIndex={-1}
              aria-label={`Edit ${cardId}`}
              title="Edit (Enter)"
              onClick={() => setEditing(true)}
            >
              <Icon name="pencil" />
            </button>
          </div>
        </>
      )}
    </li>
  );
});
