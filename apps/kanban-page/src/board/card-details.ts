// What is known of a card besides what it says: who touched it last, whether it waits to be saved,
// and how that reads.

import type { PendingOperation } from "@opstate/core";
import type { Card } from "@opstate/kanban-domain";
import { nameOf } from "../actor-name.ts";
import type { CardMark } from "../proposals/preview.ts";
import type { Log } from "../timeline/log.ts";
import { type LogEntry, markOf } from "../timeline/log-entry.ts";

/** A change of more cards than these shows no edges: all of them would say the same. */
const MANY_CARDS = 12;

/** The last change of a card by somebody; what the system set up is nobody's doing. */
export function lastChangeOf({ lastChanges }: Log, cardId: string): LogEntry | undefined {
  const entry = lastChanges.get(cardId);
  return entry?.actor.kind === "system" ? undefined : entry;
}

/** Whose edge a card shows: who changed it since this page looks. */
export const edgeOf = (lastChange: LogEntry | undefined, liveSince: number): string | undefined =>
  lastChange && lastChange.version >= liveSince && lastChange.cardIds.length <= MANY_CARDS
    ? markOf(lastChange)
    : undefined;

/**
 * Whether a pending operation is about this card. A new card has its id from the board, so it is
 * known by what it says.
 */
export function concernsCard({ operation }: PendingOperation, { cardId, title }: Card, columnId: string): boolean {
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

export interface CardDetails {
  readonly card: Card;
  readonly pending: boolean;
  readonly lastChange: LogEntry | undefined;
  readonly proposed: CardMark["what"] | undefined;
  readonly user: string;
}

/** The card in one line, for who hears it. */
export function cardLabel({
  card: { cardId, title, priority },
  pending,
  lastChange,
  proposed,
  user,
}: CardDetails): string {
  const parts = [
    `${cardId}: ${title}`,
    `priority ${priority}`,
    pending ? "waiting to be saved" : "",
    lastChange ? `last changed by ${nameOf(lastChange.actor, user)}` : "",
    proposed ? `proposed: ${PROPOSAL_WORDS[proposed]}` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

const PROPOSAL_WORDS = { move: "to move it", remove: "to remove it", change: "to change it" } as const;

/** What of a card a form changed; undefined when nothing. */
export function changeOf(
  { title, priority }: Card,
  wanted: { readonly title: string; readonly priority: number },
): { title?: string; priority?: number } | undefined {
  if (wanted.title === title && wanted.priority === priority) return undefined;
  return {
    ...(wanted.title === title ? {} : { title: wanted.title }),
    ...(wanted.priority === priority ? {} : { priority: wanted.priority }),
  };
}
