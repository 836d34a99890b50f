// One card. It renders again when itself changed, or what is known of it: waiting to be saved, refused, touched by someone.

import type { PendingOperation } from "@opstate/core";
import type { Card } from "@opstate/kanban-domain";
import { useSync } from "@opstate/react";
import { type KeyboardEvent, memo, useRef, useState } from "react";
import { useStore } from "zustand";
import { ClockIcon, PencilIcon, PriorityIcon } from "../icons.tsx";
import { Mark, nameOf } from "../people/mark.tsx";
import { useSession } from "../session-context.ts";
import { CardForm } from "./card-form.tsx";
import { useCardAtWork, useLastTouch } from "./use-card-story.ts";

/** A change of more cards than these shows no edges: all of them would say the same. */
const manyCards = 12;

export const CardView = memo(function CardView({ card, columnId }: { card: Card; columnId: string }) {
  const { replica, notices, edits, user } = useSession();
  const { cardId, title, priority } = card;
  const pending = useSync(replica, (sync) => sync.pending.some((submission) => concerns(submission, card, columnId)));
  const refused = useStore(notices, (all) => all.some((notice) => notice.cardId === cardId));
  const touch = useLastTouch(cardId);
  const atWork = useCardAtWork(cardId);
  const [editing, setEditing] = useState(false);
  const root = useRef<HTMLLIElement>(null);

  function close() {
    setEditing(false);
    root.current?.focus();
  }

  function press(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.key !== "Enter" || event.defaultPrevented) return;
    event.preventDefault();
    setEditing(true);
  }

  const story = [
    `${cardId}: ${title}`,
    `priority ${priority}`,
    pending ? "waiting to be saved" : "",
    touch ? `last changed by ${nameOf(touch.actor, user)}` : "",
  ];
  return (
    <li
      ref={root}
      className="card"
      data-card-id={cardId}
      data-pending={pending ? "" : undefined}
      data-refused={refused ? "" : undefined}
      data-at-work={atWork ? "" : undefined}
      data-touched={touch?.live && touch.cardIds.length <= manyCards ? touch.actor.kind : undefined}
      data-still={editing ? "" : undefined}
      tabIndex={-1}
      aria-label={story.filter(Boolean).join(", ")}
      aria-describedby="card-help"
      onKeyDown={press}
      onDoubleClick={() => setEditing(true)}
    >
      {editing ? (
        <CardForm
          label={`Edit ${cardId}`}
          card={card}
          submit="Save"
          onCancel={close}
          onSubmit={(wanted) => {
            close();
            const change = {
              ...(wanted.title === title ? {} : { title: wanted.title }),
              ...(wanted.priority === priority ? {} : { priority: wanted.priority }),
            };
            if (Object.keys(change).length > 0) void edits.editCard(cardId, change);
          }}
          onRemove={() => void edits.removeCard(cardId, columnId)}
        />
      ) : (
        <>
          <p className="card-title">{title}</p>
          <div className="card-meta">
            <span className="card-id mono">{cardId}</span>
            <span className="priority number" data-priority={priority} title={`Priority ${priority} of 4`}>
              <PriorityIcon priority={priority} />P{priority}
            </span>
            {touch && (
              <span title={`Last changed by ${nameOf(touch.actor, user)}, version ${touch.version}`}>
                <Mark kind={touch.actor.kind} size={9} />
              </span>
            )}
            <span className="push" />
            {pending && (
              <span className="pending-mark" title="Waiting to be saved">
                <ClockIcon />
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
              <PencilIcon />
            </button>
          </div>
        </>
      )}
    </li>
  );
});

/** Whether a pending operation is about this card. A new card has its id from the board, so it is known by what it says. */
function concerns({ operation }: PendingOperation, { cardId, title }: Card, columnId: string): boolean {
  if (typeof operation !== "object" || operation === null) return false;
  if ("cardId" in operation) return operation.cardId === cardId;
  return (
    "type" in operation &&
    operation.type === "addCard" &&
    "title" in operation &&
    operation.title === title &&
    "columnId" in operation &&
    operation.columnId === columnId
  );
}
