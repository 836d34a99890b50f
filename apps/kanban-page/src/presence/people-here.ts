// Who else is here, and the card that each of them is at. A person with several tabs is one.

import type { Participant } from "@opstate/client";
import { type Board, cardName, findCard } from "@opstate/kanban-domain";
import { nameOf } from "../actor-name.ts";
import { cardIdAt } from "../card-pointer.ts";

export interface PersonHere {
  readonly key: string;
  /** The kind of actor, for the mark. */
  readonly kind: string;
  readonly name: string;
  readonly cardId: string | undefined;
  /** The card's title, which its id alone does not say; undefined: it is not on the board. */
  readonly cardTitle: string | undefined;
  /** What they do, as a sentence. */
  readonly sentence: string;
}

/** More than these are a number. */
export const MAX_PEOPLE = 4;

export function peopleHere(
  participants: readonly Participant[],
  board: Board | null,
  user: string,
): readonly PersonHere[] {
  const people = new Map<string, PersonHere>();
  for (const participant of participants) {
    const person = personOf(participant, board, user);
    // Of several tabs, the one that is at a card.
    if (people.get(person.key)?.cardId === undefined) people.set(person.key, person);
  }
  return [...people.values()];
}

/** Who is at a card. */
export function personAt(
  cardId: string,
  participants: readonly Participant[],
  board: Board | null,
  user: string,
): PersonHere | undefined {
  const found = participants.find((each) => cardIdOf(each, board) === cardId);
  return found && personOf(found, board, user);
}

function personOf(participant: Participant, board: Board | null, user: string): PersonHere {
  const { actor, typing = false } = participant;
  const cardId = cardIdOf(participant, board);
  const isYou = actor.kind === "user" && actor.id === user;
  const who = isYou ? "You, in another tab," : nameOf(actor, user);
  const verb = isYou ? "are" : "is";
  const does = actor.kind === "agent" ? "working on" : typing ? "editing" : "at";
  const place = cardId === undefined || board === null ? undefined : findCard(board, cardId);
  const card = place?.column.cards[place.index];
  const what =
    cardId !== undefined ? `${does} ${card ? cardName(card) : cardId}` : actor.kind === "agent" ? "working" : "here";
  return {
    key: `${actor.kind} ${actor.id}`,
    kind: actor.kind,
    name: isYou ? "you" : nameOf(actor, user),
    cardId,
    cardTitle: card?.title,
    sentence: `${who} ${verb} ${what}`,
  };
}

/** A page says which card it is; a pointer may be of another version of the board. */
function cardIdOf({ data, focus }: Participant, board: Board | null): string | undefined {
  if (typeof data === "object" && data !== null && "cardId" in data && typeof data.cardId === "string")
    return data.cardId;
  return focus === undefined || board === null ? undefined : cardIdAt(focus, board);
}

export const samePerson = (a: PersonHere | undefined, b: PersonHere | undefined): boolean =>
  a === b || (a?.key === b?.key && a?.sentence === b?.sentence);
