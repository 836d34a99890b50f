// What a card shows besides its title: who changed it last, whether it is being saved, and both in
// words.

import { defined, type PendingOperation } from "@opstate/core";
import type { Card } from "@opstate/kanban-domain";
import { nameOf } from "../actor-name.ts";
import type { PersonHere } from "../presence/people-here.ts";
import type { CardMark } from "../proposals/preview.ts";
import type { Log } from "../timeline/log.ts";
import { type LogEntry, markOf } from "../timeline/log-entry.ts";

/** A change of more cards than this shows no edges, because all edges would be equal. */
const MANY_CARDS = 12;

/** The last change of a card; the system's own setup does not count. */
export function lastChangeOf({ lastChanges }: Pick<Log, "lastChanges">, cardId: string): LogEntry | undefined {
  const entry = lastChanges.get(cardId);
  return entry?.actor.kind === "system" ? undefined : entry;
}

/** The kind of actor for a card's edge: who changed it since the page was opened. */
export const edgeOf = (lastChange: LogEntry | undefined, liveSince: number): string | undefined =>
  lastChange && lastChange.version >= liveSince && lastChange.cardIds.length <= MANY_CARDS
    ? markOf(lastChange)
    : undefined;

/**
 * Whether a pending operation concerns this card. The board gives a new card its id, so a pending
 * `addCard` is recognized by its title.
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
  readonly here: PersonHere | undefined;
  readonly difference: string | undefined;
  readonly user: string;
}

/** The card in one line, for screen readers. */
export function cardLabel({
  card: { cardId, title, priority },
  pending,
  lastChange,
  proposed,
  here,
  difference,
  user,
}: CardDetails): string {
  const parts = [
    `${cardId}: ${title}`,
    `priority ${priority}`,
    pending ? "waiting to be saved" : "",
    lastChange ? `last changed by ${nameOf(lastChange.actor, user)}` : "",
    proposed ? `proposed: ${PROPOSAL_WORDS[proposed]}` : "",
    here ? here.sentence : "",
    difference ?? "",
  ];
  return parts.filter(Boolean).join(", ");
}

const PROPOSAL_WORDS = { move: "to move it", remove: "to remove it", change: "to change it" } as const;

/** The fields that a form changed; undefined when there are none. */
export function changeOf(
  { title, priority }: Card,
  wanted: { readonly title: string; readonly priority: number },
): { title?: string; priority?: number } | undefined {
  if (wanted.title === title && wanted.priority === priority) return undefined;
  return defined({
    title: wanted.title === title ? undefined : wanted.title,
    priority: wanted.priority === priority ? undefined : wanted.priority,
  });
}
