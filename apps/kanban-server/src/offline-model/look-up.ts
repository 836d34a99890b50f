// What the model looks for on a board that it is shown in part, and what it found.

import { type Board, findCard } from "@opstate/kanban-domain";
import type { CardQuery, Step } from "./intent.ts";
import { cardNamed, columnNamed, cutColumns } from "./resolve.ts";

export const LOOK_UP = "board_find";

/** The texts to look for before a step: cards that are named, and not shown. */
export function textsToFind(step: Step, board: Board | null): readonly string[] {
  if (board === null || cutColumns(board).length === 0) return [];
  const queries = step.flatMap((intent): readonly CardQuery[] => {
    if (intent.kind !== "ask" && "cards" in intent) return intent.cards;
    const isCard =
      intent.kind === "rename" && intent.what !== "column" && columnNamed(board, intent.name) === undefined;
    return isCard ? [{ by: "name", name: intent.name }] : [];
  });
  const texts = queries.flatMap((query) => {
    if (query.by !== "name") return [];
    // Another card may be about the same, and not be shown.
    return query.isAbout === true || cardNamed(board, query.name).column === undefined ? [query.name] : [];
  });
  return [...new Set(texts)];
}

/** The priority of a card that was found: the tool does not say it. */
const UNKNOWN_PRIORITY = 0;

/** The board with the cards that the results of the tool name. */
export function withFound(board: Board | null, results: readonly string[]): Board | null {
  if (board === null) return null;
  const found = results.flatMap((text) => text.split("\n")).flatMap(cardIn);
  const unknown = found.filter(
    ({ card }, index) =>
      findCard(board, card.cardId) === undefined &&
      found.findIndex((other) => other.card.cardId === card.cardId) === index,
  );
  if (unknown.length === 0) return board;
  const columns = board.columns.map((column) => ({
    ...column,
    cards: [...column.cards, ...unknown.filter(({ columnId }) => columnId === column.columnId).map(({ card }) => card)],
  }));
  return { ...board, columns };
}

/** `/columns/1/cards/40: T-3041 "Send the invoices", in backlog "Backlog"` */
function cardIn(line: string) {
  const [, cardId, title = "", columnId] =
    /^\/columns\/\d+\/cards\/\d+: (\S+) ("(?:[^"\\]|\\.)*"), in (\S+) "/.exec(line) ?? [];
  if (cardId === undefined || columnId === undefined) return [];
  const text: unknown = JSON.parse(title);
  return [{ columnId, card: { cardId, title: String(text), priority: UNKNOWN_PRIORITY } as const }];
}
