// Cards as people know them, by title with the id beside it: 'Dark mode' (T-2).

import { type Board, namedCard } from "@opstate/kanban-domain";
import type { Outcome, ToolVerdict } from "../verdict.ts";

/** A card's name; the id in quotes if the board has no such card. */
export const shown = (board: Board | null, cardId: string): string => known(board, cardId) ?? `'${cardId}'`;

const known = (board: Board | null, cardId: string): string | undefined =>
  board === null ? undefined : namedCard(board, cardId);

/**
 * The name of the card that a call was about, as it was called before the call. Undefined if it is
 * not known, or the call is about no card. `run` may name a card that is gone by now.
 */
export function cardOf({ call, verdict }: Outcome, run: readonly Outcome[], board: Board | null): string | undefined {
  const { cardId } = call.args;
  if (typeof cardId !== "string") return undefined;
  const earlier = run
    .filter((other) => other.call.args.cardId === cardId)
    .map((other) => nameIn(other.verdict, cardId));
  return nameIn(verdict, cardId) ?? known(board, cardId) ?? earlier.find((name) => name !== undefined);
}

/** From the sentence of an operation on one card: "Remove 'Dark mode' (T-2) from Backlog". */
function nameIn({ sentence = "" }: ToolVerdict, cardId: string): string | undefined {
  const [start, end] = [sentence.indexOf("'"), sentence.indexOf(`' (${cardId})`)];
  return start === -1 || end <= start ? undefined : sentence.slice(start, end + `' (${cardId})`.length);
}

/** A request as it is shown: the ids of the board's cards are replaced by their names. */
export function withNames(request: string, board: Board | null): string {
  return request.replaceAll(/(?<![\w('-])[a-z]{1,10}-\w+\b/gi, (cardId) => known(board, cardId) ?? cardId);
}

/** The reverse: names are replaced by the ids, which say which card is meant whatever its title. */
export function withIds(request: string, board: Board | null): string {
  const named = [...request.matchAll(/' \(([\w-]+)\)/g)].flatMap(([, cardId = ""]) => cardId);
  return named.reduce((text, cardId) => {
    // The card may have another title by now.
    const formerly = new RegExp(`(?<!\\S)'(?:(?! ').)*' \\(${cardId}\\)`, "g");
    return text.replaceAll(known(board, cardId) ?? cardId, cardId).replaceAll(formerly, cardId);
  }, request);
}
